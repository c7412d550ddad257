import { prove, proveStrictMode } from './proofs.js'

const program = 'node_modules/@react-router/dev/bin.js'
const example = {
  folder: 'react-router',
  build: [[program, 'build']],
  start: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
}

prove('react-router', example, {
  streams: true,
  navigates: true,
  changes: true,
  comparesText: true,
  staticPage: '/static',
})

proveStrictMode(
  'react-router',
  { ...example, build: [[program, 'build', '--mode', 'development']] },
  { navigates: true },
)
