import { describe, expect, test } from 'vitest'
import { LAWS } from './alike.js'
import { LIMIT, PROGRAMS, tryAll } from './chance.js'
import { REGRESSIONS } from './regressions.js'
import { run } from './simulate.js'

describe('programs that once went wrong', () => {
  test.each(REGRESSIONS)('$what', async ({ program, law }) => {
    const broken = LAWS.filter(({ what }) => what === law)
    expect(broken).toHaveLength(law === undefined ? 0 : 1)
    await run(program)
    for (const { compare } of broken) await compare(program)
  })
})

describe('programs by chance', () => {
  // The other half is a file of its own, so that two processors run them at once.
  test('whatever the order of events, the screen shows the right data', () => tryAll(1, PROGRAMS / 2), LIMIT)
})
