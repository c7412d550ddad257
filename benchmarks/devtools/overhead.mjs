// What a connected session costs while its panel is closed, with three kinds of commits: a field that is set and that
// one reader shows, which is the smallest there is; the same while a list of 1,000 rows is mounted; and a response with
// 1,000 rows of which 100 have changed. One controller commits with a session and without one in turn, many times: so
// both have the same objects, the same compiled code and the same machine. Of neighbouring slices the ratio is taken,
// of the CPU time. The control compares nothing with nothing. Each slice connects anew, so its listeners are new
// functions to the compiler: of the smallest commit this shows more than a page pays that connects once (in processes
// of their own, 1.05 times where this says 1.11).
//
//     npm run build && node benchmarks/devtools/overhead.mjs [slices]
//     NODE_ENV=production node benchmarks/devtools/overhead.mjs [slices]
import { Controller, Entity, RestEndpoint } from '@roundtable/core'
import { connect } from '@roundtable/devtools'

const SLICES = Number(process.argv[2] ?? 200)
/** These are not counted: until then all is compiled. */
const WARM = 20

class Todo extends Entity {
  static key = 'Todo'
  id = ''
  title = ''
}

const rowsAt = (round) =>
  Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, title: i % 10 === 5 ? `t${round}` : 'a' }))

let response = rowsAt(0)
const getTodos = new RestEndpoint({
  urlPrefix: 'http://x.test',
  path: '/todos',
  schema: [Todo],
  fetchResponse: async () => Response.json(response),
})

const setTitle = (controller, at) => controller.set(Todo, { id: '5' }, { title: `t${at}` })

/** How many commits a slice has, whether a list is mounted, and a commit; `at` counts them. */
const kinds = {
  'a field is set, one reader': { commits: 2_000, hasList: false, run: setTitle },
  'a field is set, a list of 1,000 rows is mounted too': { commits: 500, hasList: true, run: setTitle },
  'a response with 1,000 rows': {
    commits: 20,
    hasList: false,
    run(controller, at) {
      response = rowsAt(at)
      return controller.fetch(getTodos)
    },
  },
}

const sides = {
  plain: () => undefined,
  control: () => undefined,
  connected: connect,
}

console.log(`${process.env.NODE_ENV ?? 'development'}, medians of ${SLICES} slices:`)
for (const [name, kind] of Object.entries(kinds)) {
  const times = await slices(kind)
  const ratio = (side) => interval(times[side].map((time, i) => time / times.plain[i]))
  const [plain, connected] = [times.plain, times.connected].map((list) => (median(list) / kind.commits).toFixed(2))
  console.log(`${name}: ${plain} µs, with a session ${connected} µs`)
  console.log(`  ${ratio('connected')}; control ${ratio('control')}`)
}

/** The times of each side. */
async function slices(kind) {
  const controller = new Controller({ retention: false })
  await controller.fetch(getTodos)
  let shown = 0
  const observer = controller.view(Todo, { id: '5' })
  const stops = [observer.subscribe(() => (shown += observer.getSnapshot().title.length))]
  if (kind.hasList) {
    const list = controller.watch(getTodos)
    const read = () => (shown += list.getSnapshot().data.length)
    // Who has read nothing is not notified.
    read()
    stops.push(list.subscribe(read))
  }
  const times = { plain: [], control: [], connected: [] }
  let at = 0
  for (let slice = -WARM; slice < SLICES; slice++) {
    const order = Object.keys(sides)
    // Who comes later finds the garbage of the others.
    if (slice % 2 === 0) order.reverse()
    for (const side of order) {
      const session = sides[side](controller)
      const { user, system } = process.cpuUsage()
      for (let i = 0; i < kind.commits; i++) {
        const done = kind.run(controller, ++at)
        if (done !== undefined) await done
      }
      const after = process.cpuUsage()
      if (slice >= 0) times[side].push(after.user - user + after.system - system)
      // Only before it counts: a log that was read is another one to the compiler and the garbage collector.
      if (session !== undefined && slice < 0) checkRecorded(session, at, stops.length)
      session?.disconnect()
    }
  }
  for (const stop of stops) stop()
  if (shown === 0) throw new Error('The reader was not notified.')
  return times
}

/** The session has the last commit, with its readers and its rows. */
function checkRecorded(session, at, readers) {
  const { facts } = session.events().findLast(({ type }) => type === 'commit')
  const change = facts.rows()[0]
  if (facts.readers !== readers || change.pk !== '5' || change.after.title !== `t${at}`)
    throw new Error('The session has not recorded the commits.')
}

/** The median, and the interval that has the true one with 95 %: its ranks follow from the binomial distribution. */
function interval(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const half = 0.98 * Math.sqrt(sorted.length)
  const [low, high] = [-half, half].map((offset) => sorted[Math.round((sorted.length - 1) / 2 + offset)])
  return `${median(values).toFixed(3)} times (${low.toFixed(3)} to ${high.toFixed(3)})`
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
