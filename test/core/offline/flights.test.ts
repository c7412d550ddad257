import { describe, expect, test } from 'vitest'
import { Flights } from '../../../core/src/offline/flights.js'
import { Positions } from '../../../core/src/offline/tabs.js'

describe('the mutations that a page remembers while it stays open', () => {
  test('are those that wait, and the last thousand that are over, with their flights', () => {
    const flights = new Flights()
    flights.note('waits', 1)
    const ids = Array.from({ length: 1_500 }, (_, i) => `${i}`)
    for (const [i, id] of ids.entries()) {
      flights.note(id, 10 + i)
      flights.noteEnds([id], i)
    }
    expect(ids.filter((id) => flights.hasEnded(id))).toEqual(ids.slice(-1_000))
    expect(ids.filter((id) => flights.startOf(id) !== undefined)).toEqual(ids.slice(-1_000))
    expect(flights.startOf('waits')).toBe(1)
    // A flight that is forgotten is a mutation like those outside of the outbox.
    const positions = new Positions()
    positions.flights = flights
    const markOf = (start: number) => positions.placeOf({ start, mutation: true, date: 0, expiresAt: 0, at: 0 })[1]
    expect([1, 10, 1_509].map(markOf)).toEqual(['waits', 1, '1499'])
  })

  test('forget the earlier flight of one that is sent again', () => {
    const flights = new Flights()
    flights.note('id', 1)
    flights.note('id', 5)
    const positions = new Positions()
    positions.flights = flights
    const markOf = (start: number) => positions.placeOf({ start, mutation: true, date: 0, expiresAt: 0, at: 0 })[1]
    expect([flights.startOf('id'), markOf(1), markOf(5)]).toEqual([5, 1, 'id'])
  })

  test('are over in the first record that tells it, once one does', () => {
    const flights = new Flights()
    flights.noteEnds(['id'], Infinity)
    // This tab has yet to write it.
    expect([flights.hasEnded('id'), flights.isRepeated('id', 3)]).toEqual([true, false])
    flights.noteEnds(['id'], 5)
    flights.noteEnds(['id'], 7)
    expect([flights.isRepeated('id', 4), flights.isRepeated('id', 5)]).toEqual([true, false])
  })
})
