import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig, type UserConfig } from 'vite'

export default defineConfig(({ command, isSsrBuild }): UserConfig => {
  // In development, the packages are read from their sources; builds use what they publish.
  const conditions = command === 'serve' ? ['@roundtable/source', ...defaultClientConditions] : defaultClientConditions
  return {
    plugins: [react(), vue(), svelte({ configFile: false })],
    resolve: { conditions: [...conditions] },
    build: {
      outDir: isSsrBuild ? 'dist/server' : 'dist/client',
      emptyOutDir: true,
      target: 'es2022',
      ...(!isSsrBuild && {
        rolldownOptions: {
          input: ['index.html', 'two-tabs.html'],
          output: { codeSplitting: { groups: frameworks() } },
        },
      }),
    },
  }
})

/** Each framework is a separate file: they load in parallel, and their sizes are visible. */
function frameworks(): { name: string; test: RegExp }[] {
  return [
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
    { name: 'vue', test: /node_modules[\\/]@?vue[\\/]/ },
    { name: 'svelte', test: /node_modules[\\/]svelte[\\/]/ },
  ]
}
