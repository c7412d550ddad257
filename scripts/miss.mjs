// Prints how many different functions of core run from a new controller to the data of a read that nothing was known
// of: a list of entities, or with --plain the response of an endpoint without a schema. With --list also which, by
// file, and with --json only that: of each its name, file and line.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Collection, Controller, Endpoint, Entity, RestEndpoint } from '../core/dist/index.js'

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
}
const rows = Array.from({ length: 3 }, (_, id) => ({ id: id + 1, title: 'a' }))
globalThis.fetch = async () => Response.json(rows)
const getTodos = process.argv.includes('--plain')
  ? new Endpoint(async () => rows, { name: 'getTodos' })
  : new RestEndpoint({ urlPrefix: 'http://localhost', path: '/todos', schema: new Collection([Todo]) })

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await read()
const { result } = await session.post('Profiler.takePreciseCoverage')
const executed = result
  .filter(({ url }) => url.includes('/core/dist/'))
  .flatMap(({ url, functions }) =>
    functions.filter(({ ranges }) => ranges[0].count > 0).map((each) => ({ url, ...each })),
  )
const places = executed.map(placeOf)
if (process.argv.includes('--json')) console.log(JSON.stringify(places))
else console.log(places.length)
if (process.argv.includes('--list')) list()

async function read() {
  const controller = new Controller()
  const todos = controller.watch(getTodos)
  const stop = todos.subscribe(() => {})
  await todos.load()
  if (todos.getSnapshot().data.length !== rows.length) throw new Error('The read did not show the rows.')
  stop()
  controller.dispose()
}

/** Where the sources have a function that was executed. */
function placeOf({ url, functionName, ranges }) {
  const path = fileURLToPath(url)
  const before = readFileSync(path, 'utf8').slice(0, ranges[0].startOffset).split('\n')
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  const { originalSource, originalLine } = map.findEntry(before.length - 1, before.at(-1).length)
  const file = originalSource?.replace(/^.*src\//, '') ?? url
  return { name: functionName || '(anonymous)', file, line: originalLine ?? 0 }
}

function list() {
  const byFile = new Map()
  for (const { file, name, line } of places) byFile.set(file, [...(byFile.get(file) ?? []), `${name}:${line + 1}`])
  for (const [file, names] of [...byFile].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${String(names.length).padStart(4)} ${file}: ${names.join(' ')}`)
  }
}
