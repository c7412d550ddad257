import { svelte } from '@sveltejs/vite-plugin-svelte'
import { at, inOneDocument, project } from './shared.js'

export default project({
  name: 'svelte',
  include: ['test/adapters/svelte/**/*.test.ts'],
  plugins: svelte({ configFile: false, compilerOptions: { experimental: { async: true } } }),
  alias: ['environment', 'navigation', 'server'].map((name) => ({
    find: new RegExp(`^\\$app/${name}$`),
    replacement: at(`test/adapters/svelte/kit/app-${name}.ts`),
  })),
  inline: [/^svelte/, /@testing-library\/svelte/],
  test: inOneDocument,
})
