import { inOneDocument, project } from './shared.js'

/** What a bundler of an application is told: one line. */
const alias = [{ find: '@data-client', replacement: '@roundtable/compat-data-client' }]

export default project({ name: 'compat', include: ['test/compat/*.test.{ts,tsx}'], alias, test: inOneDocument })
