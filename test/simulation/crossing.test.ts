import { expect, test } from 'vitest'
import { cases } from '../cases.js'
import { crossingOf, endsRight } from './crossing.js'

test('a server that applies mutations in another order than they were sent: in the end the screen equals the server', async () => {
  for (let seed = 1; seed <= cases(10_000); seed++) {
    const program = crossingOf(seed)
    const error = await endsRight(program).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    )
    expect(error, `seed ${seed}: ${JSON.stringify(program)}`).toBeUndefined()
  }
}, 600_000)
