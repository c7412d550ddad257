import { project } from './shared.js'

// Each file has modules of its own, so those of core that reset or replace modules are here, too.
export default project({
  name: 'plain',
  include: ['test/adapters/plain/**/*.test.ts', 'test/core/**/*.alone.test.ts'],
})
