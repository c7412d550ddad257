import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

const client: Record<string, string> = {
  react: 'react/client.tsx',
  vue: 'vue/client.ts',
  svelte: 'svelte/client.ts',
}
const server: Record<string, string> = {
  main: 'main.ts',
  prerender: 'prerender.ts',
  react: 'react/server.tsx',
  vue: 'vue/server.ts',
  svelte: 'svelte/server.ts',
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [vue(), svelte({ compilerOptions: { experimental: { async: true } } })],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    rollupOptions: { input: isSsrBuild ? server : client, output: { entryFileNames: '[name].js' } },
  },
}))
