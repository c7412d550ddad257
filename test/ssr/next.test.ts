import { prove } from './proofs.js'

const next = 'node_modules/next/dist/bin/next'

prove(
  'next',
  {
    folder: 'next',
    build: [[next, 'build']],
    start: [next, 'start', '--hostname', '127.0.0.1'],
  },
  { streams: true, navigates: true, changes: true, comparesText: true, staticPage: '/static' },
)
