import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  // Tests use Svelte's browser build.
  resolve: { conditions: ['browser'] },
  test: { environment: 'happy-dom' },
})
