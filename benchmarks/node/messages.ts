// The CPU time of one message of a live source, in frames of 167 (10,000 a second), with 10,000 subscribed rows and one
// mounted list; beside it, in the same run, one `controller.set` for each.
//
//     npm run bench:messages [-- --quick]
import { Controller, Entity, poll, resource } from '@roundtable/core'
import { type LiveMessage, live, type Wire } from '@roundtable/core/live'
import { browserEnv } from '../../core/src/util/env.js'

class Item extends Entity {
  static override key = 'Item'
  id = 0
  name = ''
  price = 0
}

const ROWS = 10_000
const IN_FRAME = 167
const isQuick = process.argv.includes('--quick')
const FRAMES = isQuick ? 20 : 120
const SAMPLES = isQuick ? 3 : 9

const row = (id: number) => ({ id, name: `item ${id}`, price: -1 })

/** A page that shows all rows, each by itself, and the list of them. */
function openPage() {
  let paint = (): void => {}
  let send: (messages: readonly LiveMessage[]) => void = () => {}
  const wire: Wire = async function* () {
    yield [{ type: 'opened' }]
    for (;;) yield await new Promise<readonly LiveMessage[]>((resolve) => (send = resolve))
  }
  const frame = (run: () => void): void => {
    paint = run
  }
  const Items = resource({ urlPrefix: 'https://api.test', path: '/items/:id', schema: Item })
  const rows = Array.from({ length: ROWS }, (_, id) => row(id))
  const transport = async (): Promise<Response> => Response.json(rows)
  const controller = new Controller({ env: { ...browserEnv(), frame }, retention: false, transport })
  const getLive = Items.getList.extend(
    live({ name: 'items', url: 'https://api.test/events', wire, messages: { changed: Item } }),
  )
  const shown = { list: 0, rows: 0 }
  controller.setResponse(getLive, rows)
  controller.watch(getLive).subscribe(() => shown.list++)
  for (const { id } of rows) controller.view(Item, { id }).subscribe(() => shown.rows++)
  controller.observe(poll, getLive).subscribe(() => {})
  return { controller, shown, send: (messages: readonly LiveMessage[]) => send(messages), paint: () => paint() }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** µs of CPU of one change. */
async function cpuOf(changes: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / changes
}

const page = openPage()
// The list is fetched once the stream is open.
for (let i = 0; i < 50; i++) await turn()
let value = 0
const nextIds = (): number[] => Array.from({ length: IN_FRAME }, (_, i) => (value * 31 + i * 59) % ROWS)

async function byMessages(): Promise<void> {
  for (let i = 0; i < FRAMES; i++) {
    value++
    page.send(nextIds().map((id) => ({ type: 'changed', data: { id, price: value } })))
    await turn()
    page.paint()
  }
}

async function bySets(): Promise<void> {
  for (let i = 0; i < FRAMES; i++) {
    value++
    for (const id of nextIds()) page.controller.set(Item, { id }, { price: value })
    await turn()
  }
}

const timings: { messages: number; sets: number }[] = []
for (let sample = -2; sample < SAMPLES; sample++) {
  const { rows } = page.shown
  const messages = await cpuOf(FRAMES * IN_FRAME, byMessages)
  if (page.shown.rows - rows !== FRAMES * IN_FRAME) throw new Error(`shown: ${page.shown.rows - rows}`)
  const sets = await cpuOf(FRAMES * IN_FRAME, bySets)
  // The first ones warm up.
  if (sample >= 0) timings.push({ messages, sets })
}
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number
const us = (numbers: readonly number[]): string =>
  `${median(numbers).toFixed(1)} µs (${Math.min(...numbers).toFixed(1)} to ${Math.max(...numbers).toFixed(1)})`
console.log(`CPU of one change, ${ROWS} rows and a list of them mounted, ${IN_FRAME} in a frame, ${SAMPLES} samples:`)
console.log(`  a message             ${us(timings.map(({ messages }) => messages))}`)
console.log(`  a controller.set      ${us(timings.map(({ sets }) => sets))}`)
console.log(`  ratio                 ${median(timings.map(({ messages, sets }) => sets / messages)).toFixed(2)}`)
page.controller.dispose()
