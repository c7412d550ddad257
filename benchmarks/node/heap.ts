/**
 * Bytes that a library keeps for each flat row once its list has been read; run with --expose-gc, one library per process:
 * `node --expose-gc heap.mjs NAME ROWS`. NAME `records` is the parsed answer alone.
 */
import { flat } from './data/datasets.js'
import { peers } from './peers/index.js'
import { parseFor } from './peers/peer.js'

const [name = '', count = '10000'] = process.argv.slice(2)
const rows = Number(count)
const dataset = flat(rows)
const peer = peers.find((known) => known.name === name)
// Once before, so that compiled code and caches are not counted.
const kept: unknown[] = []
for (let round = 0; round < 2; round++) {
  kept.length = 0
  const before = used()
  kept.push(...fill())
  const bytes = used() - before
  if (round === 1) process.stdout.write(`${JSON.stringify({ name, rows, bytesPerRow: Math.round(bytes / rows) })}\n`)
}
process.exit(0)

/** Answers come with strings of their own, so each round pays for them. */
function fill(): unknown[] {
  if (peer === undefined) return [JSON.parse(dataset.json)]
  const store = peer.open('flat')
  store.mount?.(() => {})
  store.write(parseFor(peer, 'flat', dataset.json))
  return [store, store.read()]
}

function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
