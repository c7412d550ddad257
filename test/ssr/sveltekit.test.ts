import { prove } from './proofs.js'

prove(
  'SvelteKit',
  {
    folder: 'sveltekit',
    build: [['node_modules/vite/bin/vite.js', 'build']],
    start: ['build/index.js'],
  },
  { navigates: true, changes: true, staticPage: '/static', streamedPage: '/streamed' },
)
