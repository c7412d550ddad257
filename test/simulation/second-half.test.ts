import { describe, test } from 'vitest'
import { LAWS } from './alike.js'
import { LIMIT, PROGRAMS, tryAll } from './chance.js'

describe('programs by chance', () => {
  test(
    'whatever order things happen in, the screen shows what it must',
    () => tryAll(1 + Math.ceil(PROGRAMS / 2), PROGRAMS / 2),
    LIMIT,
  )

  test.each(LAWS)('$what', ({ compare }) => tryAll(1, PROGRAMS / 25, compare), LIMIT)
})
