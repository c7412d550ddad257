import { prove } from './proofs.js'

prove(
  'react-router',
  {
    folder: 'react-router',
    build: [['node_modules/@react-router/dev/bin.js', 'build']],
    start: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
  },
  { streams: true, navigates: true, comparesText: true },
)
