import { prove, proveStrictMode } from './proofs.js'

const vite = 'node_modules/vite/bin/vite.js'

for (const framework of ['react', 'vue', 'svelte']) {
  prove(
    `own server, ${framework}`,
    {
      folder: 'own-server',
      build: [
        [vite, 'build'],
        [vite, 'build', '--ssr'],
      ],
      start: ['dist/server/main.js', framework],
    },
    {
      streams: framework === 'react',
      comparesText: framework === 'react',
      prerender: ['dist/server/prerender.js', framework],
    },
  )
}

proveStrictMode('own server, react', {
  folder: 'own-server',
  build: [
    [vite, 'build', '--mode', 'development'],
    [vite, 'build', '--ssr', '--mode', 'development'],
  ],
  start: ['dist/server/main.js', 'react'],
})
