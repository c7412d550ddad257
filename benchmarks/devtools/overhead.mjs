// What a connected session costs while its panel is closed: 10,000 commits that each notify a reader, with and without one, alternating.
//
//     npm run build && node benchmarks/devtools/overhead.mjs
import { Controller, Entity } from '@roundtable/core'
import { connect } from '@roundtable/devtools'

const COMMITS = 10_000
const ROUNDS = 15

class Todo extends Entity {
  static key = 'Todo'
  id = ''
  title = ''
}

function timeOf(isConnected) {
  const controller = new Controller({ retention: false })
  const session = isConnected ? connect(controller) : undefined
  for (let i = 0; i < 100; i++) controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: 'a' })
  // A reader renders: it reads what it shows.
  let shown = 0
  const observer = controller.select(Todo, { id: '5' })
  const stop = observer.subscribe(() => {
    shown += observer.getSnapshot().title.length
  })
  const start = process.cpuUsage()
  for (let i = 0; i < COMMITS; i++) controller.set(Todo, { id: '5' }, { title: `t${i}` })
  const { user, system } = process.cpuUsage(start)
  stop()
  session?.disconnect()
  if (shown === 0) throw new Error('The reader was not notified.')
  return (user + system) / 1_000
}

const times = { without: [], with: [] }
for (let round = 0; round < ROUNDS + 2; round++) {
  const [without, connected] = [timeOf(false), timeOf(true)]
  if (round < 2) continue
  times.without.push(without)
  times.with.push(connected)
}
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
const [without, connected] = [median(times.without), median(times.with)]
console.log(`${COMMITS} commits: ${without.toFixed(1)} ms without, ${connected.toFixed(1)} ms with a session`)
console.log(
  `${(((connected - without) / COMMITS) * 1_000).toFixed(2)} µs more for each, ${(connected / without).toFixed(3)} times`,
)
