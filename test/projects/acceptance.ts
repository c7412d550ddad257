import { configDefaults } from 'vitest/config'
import { project } from './shared.js'

export default project({
  name: 'acceptance',
  include: ['test/browser/**/*.test.ts'],
  test: { fileParallelism: false, exclude: [...configDefaults.exclude, 'test/browser/board.test.ts'] },
})
