import { describe, expect, test } from 'vitest'
import { Positions } from '../../../core/src/offline/tabs.js'

describe('the mutations that a page remembers while it stays open', () => {
  test('are those that wait, and the last thousand that are over, with their flights', () => {
    const positions = new Positions()
    positions.noteFlight('waits', 1)
    const ids = Array.from({ length: 1_500 }, (_, i) => `${i}`)
    for (const [i, id] of ids.entries()) {
      positions.noteFlight(id, 10 + i)
      positions.noteEnds([id], i)
    }
    expect(ids.filter((id) => positions.hasEnded(id))).toEqual(ids.slice(-1_000))
    expect(ids.filter((id) => positions.startOf(id) !== undefined)).toEqual(ids.slice(-1_000))
    expect(positions.startOf('waits')).toBe(1)
    // A flight that is forgotten is a mutation like those outside of the outbox.
    const markOf = (start: number) => positions.placeOf({ start, mutation: true, date: 0, expiresAt: 0, at: 0 })[1]
    expect([1, 10, 1_509].map(markOf)).toEqual(['waits', 1, '1499'])
  })

  test('forget the earlier flight of one that is sent again', () => {
    const positions = new Positions()
    positions.noteFlight('id', 1)
    positions.noteFlight('id', 5)
    const markOf = (start: number) => positions.placeOf({ start, mutation: true, date: 0, expiresAt: 0, at: 0 })[1]
    expect([positions.startOf('id'), markOf(1), markOf(5)]).toEqual([5, 1, 'id'])
  })

  test('are over in the first record that tells it, once one does', () => {
    const positions = new Positions()
    positions.noteEnds(['id'], Infinity)
    // This tab has yet to write it.
    expect([positions.hasEnded('id'), positions.isRepeated('id', 3)]).toEqual([true, false])
    positions.noteEnds(['id'], 5)
    positions.noteEnds(['id'], 7)
    expect([positions.isRepeated('id', 4), positions.isRepeated('id', 5)]).toEqual([true, false])
  })
})
