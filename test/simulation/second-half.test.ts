import { describe, test } from 'vitest'
import { LAWS } from './alike.js'
import { LIMIT, PROGRAMS, tryAll } from './chance.js'

describe('programs by chance', () => {
  test(
    'whatever the order of events, the screen shows the right data',
    () => tryAll(1 + Math.ceil(PROGRAMS / 2), PROGRAMS / 2),
    LIMIT,
  )

  test.each(LAWS)('$what', ({ what, compare }) => tryAll(1, PROGRAMS / 32, compare, what), LIMIT)
})
