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
measured() // once before, so that compiled code and caches are not counted
process.stdout.write(`${JSON.stringify({ name, rows, bytesPerRow: Math.round(measured() / rows) })}\n`)
process.exit(0)

/** The bytes that are held while what a library made is. */
function measured(): number {
  const before = used()
  const kept = fill()
  const bytes = used() - before
  // Whoever is not named again may be collected.
  if (kept.length === 0) throw new Error('Nothing was kept.')
  return bytes
}

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
