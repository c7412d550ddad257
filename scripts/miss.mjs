// Prints how many different functions of core run from a new controller to the data of a read that nothing was known of.
import { Session } from 'node:inspector/promises'
import { Collection, Controller, Entity, RestEndpoint } from '../core/dist/index.js'

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
}
const getTodos = new RestEndpoint({ urlPrefix: 'http://localhost', path: '/todos', schema: new Collection([Todo]) })
const rows = Array.from({ length: 3 }, (_, id) => ({ id: id + 1, title: 'a' }))
globalThis.fetch = async () => Response.json(rows)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await read()
const { result } = await session.post('Profiler.takePreciseCoverage')
const own = result.filter(({ url }) => url.includes('/core/dist/'))
console.log(own.flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0].count > 0)).length)

async function read() {
  const controller = new Controller()
  const todos = controller.query(getTodos)
  const stop = todos.subscribe(() => {})
  await todos.load()
  if (todos.getSnapshot().data.length !== rows.length) throw new Error('The read did not show the rows.')
  stop()
  controller.dispose()
}
