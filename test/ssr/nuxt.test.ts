import { prove } from './proofs.js'

prove(
  'Nuxt',
  {
    folder: 'nuxt',
    build: [['node_modules/nuxt/bin/nuxt.mjs', 'build']],
    start: ['.output/server/index.mjs'],
  },
  { navigates: true, staticPage: '/static', failingPage: '/failing' },
)
