import { Collection, Controller, type ControllerOptions, Endpoint, Entity, Invalidate } from '@roundtable/core'
import { HandClock } from './clock.js'
import { FakeServer } from './fake-server.js'

export class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}

export class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User }
  id = ''
  title = ''
  userId = ''
  votes = 0
  user: User | undefined = undefined
}

export const Todos = new Collection([Todo])

/** The fields of a todo that a client sends. */
export interface TodoData {
  readonly id?: string
  readonly title?: string
  readonly userId?: string
  readonly votes?: number
  readonly user?: { readonly id: string; readonly name?: string }
}

type Id = { readonly id: string }
type ListArgs = { readonly userId?: string }

/** Endpoints of a todo list, answered by hand. */
export function todoEndpoints(server: FakeServer) {
  const patch = new Endpoint(server.on<[Id, TodoData]>('patch'), { name: 'patch', schema: Todo, sideEffect: true })
  const create = new Endpoint(server.on<[ListArgs, TodoData]>('create'), {
    name: 'create',
    schema: Todos.push,
    sideEffect: true,
  })
  const remove = new Endpoint(server.on<[Id]>('remove'), {
    name: 'remove',
    schema: new Invalidate(Todo),
    sideEffect: true,
  })
  return {
    getTodo: new Endpoint(server.on<[Id]>('getTodo'), { name: 'getTodo', schema: Todo }),
    getTodos: new Endpoint(server.on<[ListArgs]>('getTodos'), { name: 'getTodos', schema: Todos }),
    getPlain: new Endpoint(server.on<[Id?], unknown>('getPlain'), { name: 'getPlain' }),
    create,
    createNow: create.extend({ getOptimisticResponse: (_, args, body) => ({ ...args, ...body }) }),
    createFirst: create.extend({ schema: Todos.unshift }),
    patch,
    patchNow: patch.extend({ getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) }),
    vote: patch.extend({
      getOptimisticResponse: (snapshot, { id }) => {
        const todo = snapshot.get(Todo, { id })
        if (todo === undefined) throw snapshot.abort
        return { id, votes: todo.votes + 1 }
      },
    }),
    move: new Endpoint(server.on<[Id, TodoData]>('move'), { name: 'move', schema: Todos.move, sideEffect: true }),
    remove,
    removeNow: remove.extend({ getOptimisticResponse: (_, { id }) => ({ id }) }),
    takeOut: new Endpoint(server.on<[Id]>('takeOut'), { name: 'takeOut', schema: Todos.remove, sideEffect: true }),
    touch: new Endpoint(server.on<[], unknown>('touch'), { name: 'touch', sideEffect: true }),
  }
}

/** A controller on a clock turned by hand, and a server that answers by hand. */
export function openBoard(options: ControllerOptions = {}) {
  const clock = new HandClock()
  const server = new FakeServer()
  const reported: Error[] = []
  const onError = (error: Error): void => {
    reported.push(error)
  }
  const controller = new Controller({ env: clock, onError, ...options })
  return { clock, server, controller, reported, ...todoEndpoints(server) }
}

/** Reads and subscribes, as an adapter does; records the snapshot at each notification. */
export function watch<Snapshot>(observer: { getSnapshot(): Snapshot; subscribe(onChange: () => void): () => void }): {
  readonly seen: Snapshot[]
  readonly stop: () => void
  readonly now: Snapshot
  readonly notified: number
} {
  const seen: Snapshot[] = []
  observer.getSnapshot()
  const stop = observer.subscribe(() => seen.push(observer.getSnapshot()))
  return {
    seen,
    stop,
    get now() {
      return observer.getSnapshot()
    },
    get notified() {
      return seen.length
    },
  }
}

/** The titles of what a list query shows; undefined while it shows none. */
export function titles(snapshot: { readonly data: readonly Todo[] | undefined }): readonly string[] | undefined {
  return snapshot.data?.map((todo) => todo.title)
}

/** The ids of what a list query shows. */
export function ids(snapshot: { readonly data: readonly Todo[] | undefined }): readonly string[] | undefined {
  return snapshot.data?.map((todo) => todo.id)
}

/** Notes how a promise ended, so that a rejection is never unhandled. */
export function ending<Data>(promise: Promise<Data>): { value?: Data; error?: unknown; isOver: boolean } {
  const end: { value?: Data; error?: unknown; isOver: boolean } = { isOver: false }
  promise.then(
    (value) => {
      end.value = value
      end.isOver = true
    },
    (error: unknown) => {
      end.error = error
      end.isOver = true
    },
  )
  return end
}
