import { Controller } from '@roundtable/core'
import { memoryLog } from '@roundtable/core/offline'
import { connect, DevtoolsError, parseRecording, type Session } from '@roundtable/devtools'
import { afterEach, expect, test } from 'vitest'
import { recordedSession } from '../../devtools/src/recorded-session.js'
import { openApp, rest, TaskResource, TaskServer } from '../core/offline/todo-server.js'

const sessions: Session[] = []

afterEach(() => {
  for (const session of sessions.splice(0)) session.disconnect()
})

/** An application with an outbox, and the tools that are connected to it. */
async function open() {
  const server = new TaskServer()
  server.add('first')
  const app = await openApp(memoryLog(), server)
  const session = connect(app.controller)
  sessions.push(session)
  await app.controller.fetch(TaskResource.getList)
  return { ...app, server, session }
}

test('a session shows what waits, and tells of each change of it', async () => {
  const { session, server, controller, call } = await open()
  expect(session.outbox?.getSnapshot()).toEqual([])
  let told = 0
  const stop = session.subscribe(() => told++)
  server.isReachable = false
  call(controller.fetch(TaskResource.partialUpdate, { id: 1 }, { title: 'waits' }))
  await rest()
  expect(told).toBeGreaterThan(0)
  expect(session.outbox?.getSnapshot()).toMatchObject([
    { name: 'TaskResource.partialUpdate', status: 'waiting', args: [{ id: 1 }, { title: 'waits' }], rows: ['Task 1'] },
  ])
  stop()
  const before = told
  session.outbox?.discard(session.outbox?.getSnapshot()[0]?.id ?? '')
  expect(told).toBe(before)
})

test('a session sends a refused mutation again, gives one up, and resumes after a sign-in', async () => {
  const { session, server, controller, call } = await open()
  const rename = (title: string) => call(controller.fetch(TaskResource.partialUpdate, { id: 1 }, { title }))
  const statuses = () => session.outbox?.getSnapshot().map(({ status, error }) => `${status} ${error?.status ?? ''}`)
  server.refuse = (line) => (line.startsWith('PATCH') ? 409 : undefined)
  rename('refused')
  await rest()
  expect(statuses()).toEqual(['refused 409'])
  server.refuse = () => undefined
  session.outbox?.retry(session.outbox?.getSnapshot()[0]?.id ?? '')
  await rest()
  expect(server.tasks.get(1)?.title).toBe('refused')

  server.refuse = (line) => (line.startsWith('PATCH') ? 401 : undefined)
  rename('signed in')
  await rest()
  expect(statuses()).toEqual(['waiting 401'])
  server.refuse = () => undefined
  session.outbox?.resume()
  await rest()
  expect(server.tasks.get(1)?.title).toBe('signed in')

  server.isReachable = false
  rename('given up')
  await rest()
  session.outbox?.discard(session.outbox?.getSnapshot()[0]?.id ?? '')
  await rest()
  expect(session.outbox?.getSnapshot()).toEqual([])
  expect(server.tasks.get(1)?.title).toBe('signed in')
})

test('a controller without an outbox has none in its session', () => {
  const session = connect(new Controller())
  sessions.push(session)
  expect(session.outbox).toBeUndefined()
  expect('outbox' in session.export()).toBe(false)
})

test('an export has what waits; it can be read and not changed', async () => {
  const { session, server, controller, call } = await open()
  server.isReachable = false
  call(controller.fetch(TaskResource.delete, { id: 1 }))
  await rest()
  const recorded = recordedSession(parseRecording(JSON.stringify(session.export())))
  expect(recorded.outbox?.getSnapshot()).toMatchObject([{ name: 'TaskResource.delete', status: 'waiting' }])
  for (const act of [
    () => recorded.outbox?.retry('a'),
    () => recorded.outbox?.discard('a'),
    () => recorded.outbox?.resume(),
  ])
    expect(act).toThrow(DevtoolsError)
  const damaged = { ...session.export(), outbox: {} }
  expect(() => parseRecording(JSON.stringify(damaged))).toThrow(/incomplete/)
})
