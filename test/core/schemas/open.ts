import {
  Controller,
  type ControllerOptions,
  type Denormalize,
  Endpoint,
  type EndpointInterface,
  type EndpointOptions,
  type QuerySnapshot,
  type Schema,
} from '@roundtable/core'
import { HandClock, settle } from '../engine/clock.js'
import { FakeServer } from '../engine/fake-server.js'
import { watch } from '../engine/todo-board.js'

/** The arguments that the endpoints of these tests take. */
export type Params = Readonly<Record<string, unknown>>

/** A read of any schema. */
export type Reader<S extends Schema> = EndpointInterface<ReadFunction, S, undefined>

/** A mutation of any schema. */
export interface Writer<S extends Schema> extends EndpointInterface<WriteFunction, S, true> {
  extend(options: EndpointOptions<WriteFunction, S, true>): Writer<S>
}

type ReadFunction = (params?: Params) => Promise<unknown>
type WriteFunction = (params?: Params, body?: unknown) => Promise<unknown>

/** A mounted read. */
export interface Mounted<Data> {
  readonly now: QuerySnapshot<Data>
  readonly notified: number
  readonly stop: () => void
}

/** A controller on a clock turned by hand, and endpoints of any schema that are answered by hand. */
export function open(options: ControllerOptions = {}) {
  const clock = new HandClock()
  const server = new FakeServer()
  const reported: Error[] = []
  const controller = new Controller({ env: clock, onError: (error) => void reported.push(error), ...options })
  // TypeScript cannot infer an endpoint's type from a generic schema: the types above declare it.
  const reader = <const S extends Schema>(name: string, schema: S): Reader<NoInfer<S>> =>
    new Endpoint(server.on<[Params?]>(name), { name, schema: schema as Schema }) as never
  const writer = <const S extends Schema>(name: string, schema: S): Writer<NoInfer<S>> =>
    new Endpoint(server.on<[Params?, unknown?]>(name), { name, schema: schema as Schema, sideEffect: true }) as never

  /** Sends a read. */
  const fetchRead = (name: string, schema: Schema, params: Params): Promise<unknown> => {
    const endpoint: Reader<Schema> = reader(name, schema)
    return controller.fetch(endpoint, params)
  }
  /** Sends a mutation. */
  const mutate = (name: string, schema: Schema, params?: Params, body?: unknown): Promise<unknown> => {
    const endpoint: Writer<Schema> = writer(name, schema)
    return controller.fetch(endpoint, params, body)
  }
  /** Mounts a read. */
  const mount = <const S extends Schema>(name: string, schema: S, params: Params): Mounted<Denormalize<S>> => {
    const endpoint: Reader<Schema> = reader(name, schema)
    return watch(controller.watch(endpoint, params)) as never
  }

  /** Mounts a read and answers it. */
  const load = async <const S extends Schema>(
    name: string,
    schema: S,
    data: unknown,
    params: Params = {},
  ): Promise<Mounted<Denormalize<S>>> => {
    const query = mount(name, schema, params)
    await settle()
    await server.one(name, -1).answer(data)
    return query
  }
  /** Sends a mutation and answers it; resolves with its result. */
  const run = async (name: string, schema: Schema, data: unknown, ...args: [Params?, unknown?]): Promise<unknown> => {
    const sent = mutate(name, schema, ...args)
    await server.one(name, -1).answer(data)
    return sent
  }
  /** Sends a read whose response does not fit; resolves with its error. */
  const refused = async (name: string, schema: Schema, data: unknown): Promise<unknown> => {
    const sent = fetchRead(name, schema, {}).then(
      () => undefined,
      (error: unknown) => error,
    )
    await server.one(name, -1).answer(data)
    return sent
  }
  return { clock, server, controller, reported, reader, writer, fetchRead, mutate, mount, load, run, refused }
}
