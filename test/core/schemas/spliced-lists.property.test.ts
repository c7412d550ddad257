// biome-ignore-all lint/complexity/noThisInStatic: the class that was asked is meant, never the base class.
import { Collection, Controller, Endpoint, Entity, Invalidate, type Schema, Union, Values } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock, settle } from '../engine/clock.js'
import { FakeServer } from '../engine/fake-server.js'

const makeOf = <Instance>(entity: { readonly prototype: Instance }, fields: object): Instance =>
  Entity.fromJS.call(entity, fields) as Instance

class Task extends Entity {
  static override key = 'Task'
  static override schema: Record<string, Schema> = {}
  /** A member that cannot be shown breaks its list. */
  static override fromJS<Instance>(this: { readonly prototype: Instance }, fields: object = {}): Instance {
    if ('isBad' in fields && fields.isBad === true) throw new Error('no good')
    return makeOf(this, fields)
  }
  id = ''
  type = 'task'
  title = ''
  isBad = false
  board: Board | undefined = undefined
}
class Board extends Entity {
  static override key = 'Board'
  static override schema: Record<string, Schema> = {}
  id = ''
  tasks: readonly Task[] = []
}
/** Another class of the same rows: it shows the same lists. */
class TitledTask extends Task {
  get heading() {
    return `# ${this.title}`
  }
}
Task.schema = { board: Board }
TitledTask.schema = Task.schema
Board.schema = { tasks: new Collection([Task]) }

const SIZE = 30
const ids = Array.from({ length: SIZE }, (_, i) => `t${i}`)
const named = ['a', 'b'] as const

const id = fc.constantFrom(...ids)
const list = fc.constantFrom(...named)
const times = fc.nat(SIZE)
const edit = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constantFrom('add', 'remove', 'move'), id, list, isSoon: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('settle', 'fail'), times }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('turn', 'cut', 'thin', 'mix', 'fill'), list, times }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('title', 'delete', 'break', 'mend'), id, times }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('board'), times }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('sweep', 'come', 'go') }) },
)
type Edit = {
  readonly op: string
  readonly id?: string
  readonly list?: string
  readonly times?: number
  readonly isSoon?: boolean
}
const step = fc.record({ edit, isRead: fc.boolean() })

/** The members of a whole list after an edit: in all of them several stretches come, leave or change places. */
function edited(members: readonly string[], op: string, times: number): readonly string[] {
  const at = times % (members.length + 1)
  if (op === 'turn') return [...members.slice(at), ...members.slice(0, at)]
  if (op === 'cut') return [...members.slice(0, at), ...members.slice(at + 3)]
  if (op === 'thin') return members.filter((_, i) => (i + times) % 2 === 0)
  if (op === 'mix') return members.map((_, i) => members[(i * 7 + times) % members.length] as string)
  return [...new Set([...members, ...ids.slice(0, times)])]
}

/** What a reader shows: with a member that cannot be shown nothing, but not the error of a certain one of several. */
type Shown = { readonly data: unknown } | 'failed'

/** A Collection, and others that show the same lists by other classes. */
interface Kind {
  readonly schema: Schema
  readonly others: readonly Schema[]
  readonly isMap: boolean
}

/** A controller for schemas that are known only when the test runs. */
interface AnyController {
  set(schema: Schema, params: object, record: object): void
  setResponse(endpoint: object, ...args: readonly unknown[]): void
}

/** A store with two lists, whose readers are compared with what is built from nothing. */
class World {
  readonly #clock = new HandClock()
  readonly #server = new FakeServer()
  readonly #controller = new Controller({ env: this.#clock, retention: { after: 1_000 } })
  readonly #any = this.#controller as unknown as AnyController
  readonly #schema: Collection<never>
  readonly #isMap: boolean
  readonly #watched: readonly Schema[]
  readonly #lists = new Map<string, readonly string[]>(named.map((name) => [name, ids.slice(0, 20)]))
  readonly #readers: { readonly name: string; readonly schema: Schema; readonly read: () => Shown; last: Shown }[] = []
  readonly #pending: (() => Promise<void>)[] = []
  /** Ids of what may have changed since the last read. */
  readonly #touched = new Set<string>()
  /**
   * True if a list that nobody watches may have been dropped since the last read: it begins anew, also with the same
   * members.
   */
  #isSwept = false
  #leave: (() => void) | undefined = undefined

  constructor({ schema, others, isMap }: Kind, watched: readonly Schema[]) {
    this.#schema = schema as Collection<never>
    this.#isMap = isMap
    this.#watched = watched
    for (const name of named) this.#write(name)
    for (const name of named) for (const one of [schema, ...others]) this.#mount(name, one)
  }

  #mount(name: string, schema: Schema): void {
    const query = this.#controller.watch(this.#getList(schema), { list: name })
    if (this.#watched.includes(schema)) query.subscribe(() => {})
    const read = (): Shown => {
      const { data, error } = query.getSnapshot()
      return error === undefined ? { data } : 'failed'
    }
    this.#readers.push({ name, schema, read, last: read() })
  }

  #getList(schema: Schema) {
    return new Endpoint((_: { readonly list: string }): Promise<unknown> => new Promise(() => {}), {
      name: 'list',
      schema,
    })
  }

  #record(one: string, fields: object = {}): object {
    this.#touched.add(one)
    return { id: one, type: 'task', ...fields }
  }

  #write(name: string): void {
    const records = (this.#lists.get(name) ?? []).map((one) => ({ id: one, type: 'task' }))
    const data = this.#isMap ? Object.fromEntries(records.map((record) => [record.id, record])) : records
    this.#any.setResponse(this.#getList(this.#schema), { list: name }, data)
  }

  async do(one: Edit): Promise<void> {
    const { op, list: name = 'a', times: count = 0 } = one
    if (one.op === 'add' || one.op === 'remove' || one.op === 'move') await this.#change(one)
    else if (op === 'settle' || op === 'fail') await this.#end(count, op === 'fail')
    else if (op === 'title') this.#set(one.id, { title: `title ${count % 3}` })
    else if (op === 'break') this.#set(one.id, { isBad: true })
    else if (op === 'mend') this.#set(one.id, { isBad: false })
    else if (op === 'delete') this.#delete(one.id ?? '')
    else if (op === 'board') this.#ring(count)
    else if (op === 'sweep') await this.#sweep()
    else if (op === 'come') this.#come()
    else if (op === 'go') this.#go()
    else {
      this.#lists.set(name, edited(this.#lists.get(name) ?? [], op, count))
      this.#write(name)
    }
  }

  async #change({ op, id: one = '', list: name = 'a', isSoon }: Edit): Promise<void> {
    const { push, assign, remove, move } = this.#schema
    const schema = op === 'remove' ? remove : op === 'move' ? move : this.#isMap ? assign : push
    const record = this.#record(one, { list: name })
    const body = op === 'add' && this.#isMap ? { [one]: record } : record
    const endpoint = new Endpoint(this.#server.on<[object, object]>(op), {
      name: op,
      schema: schema as Schema,
      sideEffect: true,
    })
    if (isSoon !== true) {
      this.#any.setResponse(endpoint, { list: name }, body, body)
      return
    }
    this.#controller.fetch(endpoint.extend({ getOptimisticResponse: () => body }), { list: name }, body).catch(() => {})
    const request = this.#server.requests.at(-1)
    this.#pending.push(
      async () => request?.answer(body),
      async () => request?.fail(),
    )
  }

  async #end(count: number, fails: boolean): Promise<void> {
    const at = (count % (this.#pending.length / 2 || 1)) * 2
    const [answer, fail] = this.#pending.splice(at, 2)
    for (const one of ids) this.#touched.add(one)
    await (fails ? fail : answer)?.()
  }

  #set(one = '', fields: object): void {
    this.#any.set(Task, { id: one }, this.#record(one, fields))
  }

  #delete(one: string): void {
    this.#touched.add(one)
    const endpoint = new Endpoint(async () => ({}), { name: 'delete', schema: new Invalidate(Task), sideEffect: true })
    this.#any.setResponse(endpoint, { id: one })
  }

  /** A board whose list shows tasks that show the board. */
  #ring(count: number): void {
    const tasks = ids.slice(count % 5, count % 9).map((one) => this.#record(one, { board: 'b' }))
    for (const one of ids) this.#touched.add(one)
    this.#any.set(Board, { id: 'b' }, { id: 'b', tasks })
  }

  /** What nobody watches is dropped, and begins anew. */
  async #sweep(): Promise<void> {
    for (const one of ids) this.#touched.add(one)
    this.#isSwept = true
    await this.#clock.advance(5_000)
  }

  /** Another reader of a list comes. */
  #come(): void {
    if (this.#leave !== undefined) return
    const query = this.#controller.watch(this.#getList(this.#schema), { list: 'b' })
    this.#leave = query.subscribe(() => {})
    query.getSnapshot()
  }

  #go(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  /** What a list shows if it is built from nothing. */
  #fresh(name: string, schema: Schema): Shown {
    let shown: Shown = { data: undefined }
    const probe = new Endpoint((): Promise<unknown> => Promise.reject(new Error('only a look')), {
      name: 'probe',
      sideEffect: true,
      getOptimisticResponse: (snapshot) => {
        try {
          // Each schema has arguments of its own type.
          const get = snapshot.get as (schema: Schema, args: object) => unknown
          shown = { data: get.call(snapshot, schema, { list: name }) }
        } catch {
          shown = 'failed'
        }
        throw snapshot.abort
      },
    })
    this.#controller.fetch(probe).catch(() => {})
    return shown
  }

  /** True if somebody reads each change. */
  get isWatched(): boolean {
    return this.#watched.length > 0 || this.#leave !== undefined
  }

  /** Reads what is watched. */
  look(): void {
    for (const reader of this.#readers)
      if (this.#watched.includes(reader.schema) || this.#leave) reader.last = reader.read()
  }

  check(): void {
    for (const reader of this.#readers) {
      const shown = reader.read()
      const fresh = this.#fresh(reader.name, reader.schema)
      const { last } = reader
      reader.last = shown
      expect(shown).toEqual(fresh)
      if (shown === 'failed' || last === 'failed') continue
      const [now, before] = [membersOf(shown.data), membersOf(last.data)]
      const isSame =
        now.length === before.length && now.every(([key, item], i) => key === before[i]?.[0] && item === before[i]?.[1])
      if (!isSame || !this.#isSwept || this.#watched.includes(reader.schema))
        expect(shown.data === last.data).toBe(isSame)
      const kept = new Map(before.map(([, item]) => [item.id, item]))
      for (const [, item] of now)
        if (!this.#touched.has(item.id) && item.board === undefined && kept.has(item.id))
          expect(item).toBe(kept.get(item.id))
    }
    this.#touched.clear()
    this.#isSwept = false
  }

  dispose(): void {
    this.#controller.dispose()
  }
}

function membersOf(data: unknown): [string, Task][] {
  return Object.entries((data ?? {}) as Record<string, Task>)
}

const plain = new Collection([Task])
const titled = new Collection([TitledTask])
const union = new Collection([new Union({ task: Task }, 'type')])
const map = new Collection(new Values(Task))

const kinds: readonly (readonly [string, Kind])[] = [
  ['a Collection', { schema: plain, others: [], isMap: false }],
  ['a Collection by two classes', { schema: plain, others: [titled], isMap: false }],
  ['a Collection of a Union', { schema: union, others: [], isMap: false }],
  ['a Collection of Values', { schema: map, others: [], isMap: true }],
]

test.each(kinds)(
  '%s shows after any edits what is built from nothing, and keeps what did not change',
  async (_, kind) => {
    const { schema, others } = kind
    const watched = fc.constantFrom([], [schema], others, [schema, ...others])
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), watched, async (steps, readers) => {
        const world = new World(kind, readers)
        try {
          for (const one of steps) {
            await world.do(one.edit)
            if (one.isRead) world.check()
            else if (world.isWatched) world.look()
            await settle()
          }
          world.check()
        } finally {
          world.dispose()
        }
      }),
      { numRuns: cases(200) },
    )
  },
)

test('a member whose row was dropped while nobody read its list shows its new row', async () => {
  const world = new World({ schema: plain, others: [titled], isMap: false }, [titled])
  for (const op of ['remove', 'sweep', 'add', 'title']) {
    for (const list of named) await world.do({ op, id: 't19', list, times: 1 })
    await settle()
  }
  world.check()
  world.dispose()
})

test('a row that comes into a ring that could not be shown is shown with it, once what broke it has left', async () => {
  const world = new World({ schema: plain, others: [], isMap: false }, [])
  await world.do({ op: 'thin', list: 'a', times: 0 })
  await world.do({ op: 'break', id: 't2' })
  await world.do({ op: 'board', times: 21 })
  await world.do({ op: 'thin', list: 'a', times: 0 })
  world.check()
  await world.do({ op: 'board', times: 23 })
  world.check()
  world.dispose()
})
