import { project } from './shared.js'

// The board in Chromium; what takes longer there is in acceptance.ts.
export default project({
  name: 'browser',
  include: ['test/browser/board.test.ts'],
  test: { fileParallelism: false },
})
