import { Collection, Controller, Endpoint } from '@roundtable/core'
import type { Contender } from '../measure.js'
import { OURS, Row } from '../peers/ours.js'

/** What is done to one of many lists. */
export type MemberDeed = 'push' | 'move' | 'remove'

/** So many members stand in each list. */
const MEMBERS = 20

/**
 * One member pushed into one of so many lists of a kind, moved between two of them, or taken out again, whichever is
 * asked for.
 */
export function members(deed: MemberDeed, sizes: readonly number[]): Contender[] {
  return sizes.map((size) => membersOf(deed, size))
}

/** The name of a contender of that comparison. */
export function amongLists(size: number): string {
  return `${OURS}, one of ${size.toLocaleString('en')} lists`
}

function membersOf(deed: MemberDeed, size: number): Contender {
  const rows = new Collection([Row])
  const controller = new Controller({ retention: false })
  const getRows = new Endpoint(async (_: { readonly author: string }) => [], { name: 'rows', schema: rows })
  for (let list = 0; list < Math.max(2, size); list++) {
    const author = `a${list}`
    const held = Array.from({ length: MEMBERS }, (_, i) => ({ id: `${author} ${i}`, author }))
    controller.setResponse(getRows, { author }, held)
  }
  const tell = (schema: object, name: string) => {
    const endpoint = new Endpoint(async (_: { readonly author: string; readonly id: string }) => null, {
      name,
      schema: schema as typeof rows.push,
      sideEffect: true,
    })
    return (id: string, author: string) => controller.setResponse(endpoint, { author, id }, { id, author })
  }
  const push = tell(rows.push, 'push')
  const move = tell(rows.move, 'move')
  const remove = tell(rows.remove, 'remove')
  let next = 0
  /** What comes goes again, so that no list grows. */
  const rounds: { readonly [Deed in MemberDeed]: () => void } = {
    push: () => {
      const id = `new ${next++ % MEMBERS}`
      push(id, 'a0')
      remove(id, 'a0')
    },
    move: () => {
      move('a0 0', 'a1')
      move('a0 0', 'a0')
    },
    remove: () => {
      remove('a0 0', 'a0')
      push('a0 0', 'a0')
    },
  }
  // Lists are found by their members once that pays.
  for (let i = 0; i < 40; i++) rounds[deed]()
  return { name: amongLists(size), times: 200, prepare: () => rounds[deed] }
}
