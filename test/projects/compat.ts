import { at, inOneDocument, project } from './shared.js'

/** What a bundler of an application is told: one line. */
const alias = [
  { find: /^@data-client\//, replacement: '@roundtable/compat-data-client/' },
  // data-client itself, whose exports a test compares.
  { find: /^@data-client-real\/(\w+)$/, replacement: at('node_modules/@data-client/$1/lib/index.js') },
]

export default project({ name: 'compat', include: ['test/compat/*.test.{ts,tsx}'], alias, test: inOneDocument })
