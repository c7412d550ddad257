import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Storybook's own code is large.
export default defineConfig({ plugins: [react()], build: { chunkSizeWarningLimit: 4_000 } })
