import type { Dataset } from '../data/datasets.js'
import { find } from '../equality.js'
import { limits, parse } from '../limits.js'
import type { Contender } from '../measure.js'
import { oursCopied } from '../peers/ours.js'
import { type Entity, type Peer, parseFor, type Store } from '../peers/peer.js'

/** An answer that the store has never seen; nobody looks at it. */
export function coldWrite(peers: readonly Peer[], dataset: Dataset): Contender[] {
  const write = (peer: Peer): Contender => {
    return {
      name: peer.name,
      prepare: () => {
        const store = peer.open(dataset.shape)
        const answer = parseFor(peer, dataset.shape, dataset.json)
        return () => store.write(answer)
      },
    }
  }
  return [...limits(dataset), ...peers.map(write), write(oursCopied)]
}

/** The first look at an answer that is there. */
export function coldRead(peers: readonly Peer[], dataset: Dataset): Contender[] {
  return peers.map((peer): Contender => {
    return {
      name: peer.name,
      prepare: () => {
        const store = peer.open(dataset.shape)
        store.write(parseFor(peer, dataset.shape, dataset.json))
        return () => store.read()
      },
    }
  })
}

/** A mounted answer comes again, the same or with 1 % changed, and is read. */
export function again(peers: readonly Peer[], dataset: Dataset, isChanged: boolean): Contender[] {
  const { shape, json, changed } = dataset
  const repeat = (peer: Peer): Contender => {
    const { store, wakes } = mounted(peer, dataset)
    let isFlipped = false
    return {
      name: peer.name,
      prepare: () => {
        isFlipped = !isFlipped
        const answer = parseFor(peer, shape, isChanged && isFlipped ? changed : json)
        return () => {
          wakes.count = 0
          store.write(answer)
          return store.read()
        }
      },
      count: () => wakes.count,
    }
  }
  return [parse(dataset), ...peers.map(repeat)]
}

/** A look at a mounted answer that did not change. */
export function readAgain(peers: readonly Peer[], dataset: Dataset): Contender[] {
  return peers.map((peer): Contender => {
    const { store } = mounted(peer, dataset)
    const read = (): unknown => store.read()
    return { name: peer.name, times: oftenEnough(read), prepare: () => read }
  })
}

/** How often something is run in a sample: about two milliseconds long. */
function oftenEnough(run: () => unknown): number {
  run()
  const started = performance.now()
  run()
  return Math.max(1, Math.min(100_000, Math.round(2 / (performance.now() - started))))
}

/** An answer about one entity of a mounted list, and a look at the list. */
export function changeOne(peers: readonly Peer[], dataset: Dataset): Contender[] {
  const able = peers.filter((peer) => peer.open(dataset.shape).change !== undefined)
  return able.map((peer): Contender => {
    const { store } = mounted(peer, dataset)
    const entity = find(JSON.parse(dataset.json), dataset.middle) as Entity
    let version = 0
    return {
      name: peer.name,
      most: 100,
      prepare: () => {
        version++
        const next = structuredClone({ ...entity, title: `title ${version}`, name: `name ${version}` })
        return () => {
          store.change?.(next)
          return store.read()
        }
      },
    }
  })
}

/** How many records keep their reference when the same answer comes again, or one with 1 % changed. */
export function keptReferences(peer: Peer, dataset: Dataset, isChanged: boolean): number {
  const { store } = mounted(peer, dataset)
  const before = new Set(entitiesOf(store.read()))
  store.write(parseFor(peer, dataset.shape, isChanged ? dataset.changed : dataset.json))
  const after = entitiesOf(store.read())
  return after.filter((entity) => before.has(entity)).length / after.length
}

/** The entities of the main kind in what a library shows. */
function entitiesOf(shown: unknown): unknown[] {
  const entities = [shown].flat()
  for (const entity of entities) {
    const { children } = entity as { readonly children?: readonly unknown[] }
    if (children !== undefined) for (const child of children) entities.push(child)
  }
  return entities
}

function mounted(peer: Peer, dataset: Dataset): { store: Store; wakes: { count: number } } {
  const store = peer.open(dataset.shape)
  const wakes = { count: 0 }
  store.write(parseFor(peer, dataset.shape, dataset.json))
  store.mount?.(() => wakes.count++)
  store.read()
  return { store, wakes }
}
