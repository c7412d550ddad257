import { flat } from '../data/datasets.js'
import type { FlatRow } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { type Peer, parseFor } from '../peers/peer.js'

/** One answer with the same ten rows, while the table holds so many; the large list is not mounted. */
export function tenRows(peers: readonly Peer[], sizes: readonly number[]): Contender[] {
  const able = peers.filter((peer) => peer.open('flat').some !== undefined)
  return able.flatMap((peer) => sizes.map((size) => tenOf(peer, size)))
}

/** The name of a contender of that comparison. */
export function sized(peer: string, size: number): string {
  return `${peer}, ${size.toLocaleString('en')} rows`
}

function tenOf(peer: Peer, size: number): Contender {
  const { json } = flat(size)
  const store = peer.open('flat')
  store.write(parseFor(peer, 'flat', json))
  const ten = (JSON.parse(json) as FlatRow[]).slice(0, 10)
  let version = 0
  return {
    name: sized(peer.name, size),
    times: 20,
    prepare: () => {
      const answers = Array.from({ length: 20 }, () => {
        version++
        return ten.map((row) => ({ ...row, rank: version }))
      })
      let next = 0
      return () => store.some?.(answers[next++ % answers.length] as never)
    },
  }
}
