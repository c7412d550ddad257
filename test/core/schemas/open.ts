import { Controller, type ControllerOptions, Endpoint, type Schema } from '@roundtable/core'
import { HandClock, settle } from '../engine/clock.js'
import { FakeServer } from '../engine/fake-server.js'
import { watch } from '../engine/todo-board.js'

/** The arguments that the endpoints of these tests take. */
export type Params = Readonly<Record<string, unknown>>

/** A controller on a clock turned by hand, and endpoints of any schema that are answered by hand. */
export function open(options: ControllerOptions = {}) {
  const clock = new HandClock()
  const server = new FakeServer()
  const reported: Error[] = []
  const controller = new Controller({ env: clock, onError: (error) => void reported.push(error), ...options })
  const reader = <const S extends Schema>(name: string, schema: S) =>
    new Endpoint(server.on<[Params?]>(name), { name, schema })
  const writer = <const S extends Schema>(name: string, schema: S) =>
    new Endpoint(server.on<[Params?, unknown?]>(name), { name, schema, sideEffect: true })

  /** Mounts a read and answers it. */
  const load = async <const S extends Schema>(name: string, schema: S, data: unknown, params: Params = {}) => {
    const query = watch(controller.query(reader(name, schema), params))
    await settle()
    await server.one(name, -1).answer(data)
    return query
  }
  /** Sends a mutation and answers it; resolves with what its caller got. */
  const run = async <const S extends Schema>(name: string, schema: S, data: unknown, ...args: [Params?, unknown?]) => {
    const sent = controller.fetch(writer(name, schema), ...args)
    await server.one(name, -1).answer(data)
    return sent
  }
  /** Sends a read of which the answer does not fit; the error that its caller got. */
  const refused = async <const S extends Schema>(name: string, schema: S, data: unknown): Promise<unknown> => {
    const sent = controller.fetch(reader(name, schema), {}).then(
      () => undefined,
      (error: unknown) => error,
    )
    await server.one(name, -1).answer(data)
    return sent
  }
  return { clock, server, controller, reported, reader, writer, load, run, refused }
}
