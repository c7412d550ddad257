import { describe, expect, test } from 'vitest'
import { eventOf, type Flight, Responses, Round } from '../../../core/src/live/responses.js'
import { REMEMBERED, Stretch } from '../../../core/src/live/stretch.js'
import { untilAborted } from '../../../core/src/live/until-aborted.js'

describe('a stretch', () => {
  test('continues the events that it has reached, of which the last thousand are remembered', () => {
    const stretch = new Stretch('0')
    for (let i = 1; i < REMEMBERED; i++) stretch.reach(`${i}`)
    expect([stretch.continues('0'), stretch.continues('999'), stretch.last]).toEqual([true, true, '999'])
    stretch.reach('1000')
    expect([stretch.continues('0'), stretch.continues('1'), stretch.last]).toEqual([false, true, '1000'])
  })

  test('continues nothing that says no event, or an event that nobody has heard', () => {
    const stretch = new Stretch(undefined)
    expect([stretch.continues(undefined), stretch.continues('1'), stretch.last]).toEqual([false, false, undefined])
  })
})

describe('a response of overlapping requests', () => {
  const orders = [0, 1, 2].flatMap((first) => [1, 2].map((by) => [first, (first + by) % 3, (first + 2 * by) % 3]))
  const events = Array.from({ length: 8 }, (_, bits) => [0, 1, 2].map((at) => ((bits >> at) & 1 ? 'a' : 'b')))
  const cases = orders.flatMap((order) => events.map((of) => ({ order, of })))

  test.each(cases)('has the event $of until a later request has another one, in the order $order', ({ order, of }) => {
    const round = new Round()
    const flights = of.map((eventId): Flight => {
      return { round, place: ++round.begun, began: undefined, last: undefined, eventId }
    })
    const came: Flight[] = []
    for (const at of order) {
      const flight = flights[at] as Flight
      round.add(flight)
      came.push(flight)
      for (const one of came) {
        const isWon = came.some((other) => other.place > one.place && other.eventId !== one.eventId)
        expect(eventOf(one)).toBe(isWon ? undefined : one.eventId)
      }
    }
  })
})

test('the responses of a thousand keys are remembered, and of those with a request in flight', () => {
  const responses = new Responses()
  const first = responses.of('0')
  for (let i = 1; i <= REMEMBERED; i++) responses.of(`${i}`)
  expect(responses.of('0')).not.toBe(first)
  const busy = new Responses()
  const asked = busy.of('0')
  asked.flights.add({} as never)
  for (let i = 1; i <= REMEMBERED; i++) busy.of(`${i}`)
  expect(busy.of('0')).toBe(asked)
})

describe('a source that is read until it is aborted', () => {
  test('is left alone if it does not end then, and asked to return', async () => {
    const end = new AbortController()
    const calls: string[] = []
    const deaf: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (calls.push('next') === 1 ? Promise.resolve({ value: 5 }) : new Promise(() => {})),
        return: async () => {
          calls.push('return')
          throw new Error('late')
        },
      }),
    }
    const read: number[] = []
    const reading = (async () => {
      for await (const item of untilAborted(deaf, end.signal)) read.push(item)
    })()
    await new Promise((resolve) => setImmediate(resolve))
    end.abort()
    await reading
    expect([read, calls]).toEqual([[5], ['next', 'next', 'return']])
  })

  test('fails with what the source has thrown', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1
      throw new Error('cut')
    }
    const reading = untilAborted(broken(), new AbortController().signal)
    expect(await reading.next()).toMatchObject({ value: 1 })
    await expect(reading.next()).rejects.toThrow('cut')
  })
})
