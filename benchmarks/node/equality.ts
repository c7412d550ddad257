import { deepStrictEqual } from 'node:assert/strict'
import type { Dataset } from './data/datasets.js'
import { type Peer, parseFor } from './peers/peer.js'

/**
 * Checks that a library shows the answer that it was given, also after the answer changed, came back, and one entity
 * was replaced.
 *
 * @throws AssertionError with what differs
 */
export function checkEquality(peer: Peer, dataset: Dataset): void {
  const { shape, json, changed, middle } = dataset
  const store = peer.open(shape)
  let wakes = 0
  const expect = (text: string, what: string): void =>
    deepStrictEqual(plain(store.read()), JSON.parse(text), `${peer.name}, ${shape}: ${what}`)
  store.write(parseFor(peer, shape, json))
  store.mount?.(() => wakes++)
  expect(json, 'the first answer')
  store.write(parseFor(peer, shape, changed))
  expect(changed, 'the changed answer')
  store.write(parseFor(peer, shape, json))
  expect(json, 'the first answer again')
  if (store.change !== undefined) {
    const expected = JSON.parse(json)
    const entity = find(expected, middle)
    entity[shape === 'issues' ? 'title' : shape === 'tree' ? 'name' : 'title'] = 'another'
    store.change(structuredClone(entity) as never)
    deepStrictEqual(plain(store.read()), expected, `${peer.name}, ${shape}: after one change`)
  }
}

/** Without classes and without the names of types that GraphQL adds. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === '__typename' || key === '__id' ? undefined : inner)))
}

interface Found {
  readonly id: string
  readonly children?: readonly Found[]
  [field: string]: unknown
}

/** The entity of the main kind with this id. */
export function find(answer: Found | readonly Found[], id: string): Found {
  const open: Found[] = [answer].flat() as Found[]
  for (const entity of open) {
    if (entity.id === id) return entity
    open.push(...(entity.children ?? []))
  }
  throw new Error(`No entity ${id}`)
}
