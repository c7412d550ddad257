// What a connected session costs while its panel is closed, with two kinds of commits that each notify a reader: a field that is set,
// which is the smallest there is, and a response with 1,000 rows of which 100 have changed. Controllers with a session and without work in
// turn in one process, so that both have the same machine. Of two controllers the one that was made first is faster or slower than the
// other by a quarter, whichever it is, so each sample is the mean of two pairs in opposite orders.
//
//     npm run build && node benchmarks/devtools/overhead.mjs
//     NODE_ENV=production node benchmarks/devtools/overhead.mjs
import { Controller, Entity, RestEndpoint } from '@roundtable/core'
import { connect } from '@roundtable/devtools'

const SLICES = 40
const SAMPLES = 25

class Todo extends Entity {
  static key = 'Todo'
  id = ''
  title = ''
}

const rowsAt = (round) =>
  Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, title: i % 10 === 5 ? `t${round}` : 'a' }))

/** How often a slice commits, and a commit; `round` counts them. */
const kinds = {
  'a field is set': {
    commits: 250,
    run(controller, round) {
      controller.set(Todo, { id: '5' }, { title: `t${round}` })
    },
  },
  'a response with 1,000 rows': {
    commits: 2,
    run(controller, round) {
      const fetchResponse = async () => Response.json(rowsAt(round))
      return controller.fetch(
        new RestEndpoint({ urlPrefix: 'http://x.test', path: '/todos', schema: [Todo], fetchResponse }),
      )
    },
  },
}

/** A controller with rows and a reader that renders. */
function start(kind, isConnected) {
  const controller = new Controller({ retention: false })
  const session = isConnected ? connect(controller) : undefined
  for (const todo of rowsAt(0)) controller.set(Todo, { id: todo.id }, todo)
  let shown = 0
  let round = 0
  const observer = controller.select(Todo, { id: '5' })
  const stop = observer.subscribe(() => {
    shown += observer.getSnapshot().title.length
  })
  return {
    session,
    get round() {
      return round
    },
    async time() {
      const { user, system } = process.cpuUsage()
      for (let i = 0; i < kind.commits; i++) {
        const done = kind.run(controller, round++)
        if (done !== undefined) await done
      }
      const after = process.cpuUsage()
      return after.user - user + after.system - system
    },
    end() {
      stop()
      session?.disconnect()
      if (shown === 0) throw new Error('The reader was not notified.')
    },
  }
}

/** The times of all slices, without a session and with one. */
async function pair(kind, isPlainFirst) {
  const both = isPlainFirst ? [start(kind, false), start(kind, true)] : [start(kind, true), start(kind, false)]
  for (const one of both) await one.time()
  const times = [0, 0]
  for (let slice = 0; slice < SLICES; slice++) {
    // Who is second finds warm caches and the garbage of the first.
    for (const at of slice % 2 === 0 ? [0, 1] : [1, 0]) times[at] += await both[at].time()
  }
  const [plain, connected] = isPlainFirst ? [0, 1] : [1, 0]
  checkRecorded(both[connected])
  for (const one of both) one.end()
  return [times[plain], times[connected]]
}

/** The session has the last commits, each with its reader and its rows. */
function checkRecorded({ session, round }) {
  const commits = session.events().filter(({ type }) => type === 'commit')
  const { facts } = commits.at(-1)
  const change = facts.rows().find(({ pk }) => pk === '5')
  const isWhole = commits.length >= 80 && facts.readers === 1 && change.after.title === `t${round - 1}`
  if (!isWhole) throw new Error('The session has not recorded the commits.')
}

/** What a session costs, as a ratio of times. */
async function sample(kind) {
  const [one, oneConnected] = await pair(kind, true)
  const [other, otherConnected] = await pair(kind, false)
  return {
    plain: (one + other) / 2,
    connected: (oneConnected + otherConnected) / 2,
    ratio: Math.sqrt((oneConnected / one) * (otherConnected / other)),
  }
}

console.log(`${process.env.NODE_ENV ?? 'development'}, medians of ${SAMPLES} samples:`)
for (const [name, kind] of Object.entries(kinds)) {
  // All is compiled before anything is measured.
  for (let i = 0; i < 2; i++) await sample(kind)
  const samples = []
  for (let i = 0; i < SAMPLES; i++) samples.push(await sample(kind))
  const sorted = (field) => samples.map((one) => one[field]).sort((a, b) => a - b)
  const at = (list, part) => list[Math.floor((list.length - 1) * part)]
  const each = (field) => (at(sorted(field), 0.5) / kind.commits / SLICES).toFixed(2)
  const [low, ratio, high] = [0.25, 0.5, 0.75].map((part) => at(sorted('ratio'), part).toFixed(3))
  console.log(`${name}: ${each('plain')} µs, with a session ${each('connected')} µs`)
  console.log(`  ${ratio} times (the middle half: ${low} to ${high})`)
}
