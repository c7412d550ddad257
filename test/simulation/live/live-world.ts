import {
  All,
  Collection,
  Controller,
  Entity,
  Invalidate,
  type LiveQuery,
  NetworkError,
  poll,
  ResetError,
  resource,
  type Transport,
  TransportError,
} from '@roundtable/core'
import { connection, LiveRefusedError, live } from '@roundtable/core/live'
import { HandClock, settle } from '@roundtable/core/testing'
import { same, text } from '../same.js'
import { must, Wrong } from '../wrong.js'
import { EventServer, type StoredItem } from './event-server.js'
import {
  GROUPS,
  type LiveCommand,
  type LiveEnd,
  type LiveFault,
  type LiveField,
  type LiveProgram,
} from './live-program.js'
import type { Stream } from './stream.js'

/** So many items are on the server from the beginning. */
const FIRST_ITEMS = 4

/** After so many ms what has come is on the screen, also of a hidden page. */
export const SHOWN = 250

const STREAM = 'https://server.test/events'

function resourceOf({ dataExpiryLength, isVersioned, keptLists }: LiveProgram['traits']) {
  class Item extends Entity {
    static override key = 'Item'
    id = 0
    title = ''
    note = ''
    group = ''
    version = 0
    session = 0
  }
  // An entity with its own `shouldUpdate` takes or refuses whole records; fields have an order of their own without it.
  if (isVersioned)
    Item.shouldUpdate = (_, __, before, after) =>
      after.version === undefined || Number(after.version) >= Number(before.version)
  const belongs = (row: { group?: string }, args: { group?: string }): boolean => row.group === args.group
  class Kept extends Collection<[typeof Item]> {
    constructor(members: [typeof Item], options: object | undefined) {
      super(members, { ...options, belongs } as never)
    }
  }
  const Items = resource({
    urlPrefix: 'https://server.test',
    path: '/items/:id',
    schema: Item,
    searchParams: {} as { group: string },
    optimistic: true,
    dataExpiryLength,
    ...(keptLists ? { Collection: Kept as unknown as typeof Collection } : undefined),
  })
  return { Item, Items }
}

type Row = InstanceType<ReturnType<typeof resourceOf>['Item']>

/** A request on its way. */
interface Request {
  readonly method: string
  readonly url: URL
  readonly body: Partial<StoredItem>
  /** Its place in the order of requests and messages. */
  readonly at: number
  readonly session: number
  answer: Response | undefined
  resolve(response: Response): void
  reject(error: Error): void
}

/** What a stream has told last of a row. */
interface Told {
  readonly version: number
  readonly isDeleted: boolean
  /** The place in that order of the message that has put it into a group, and the group. */
  readonly entered: { readonly at: number; readonly group: string } | undefined
}

/** Somebody who shows a list or an item, and is told of each change once. */
interface Mount {
  readonly what: { readonly group: string } | { readonly id: number }
  readonly query: LiveQuery<unknown>
  stop(): void
}

/**
 * A change of a field that waits for its answer, the last of that field; not once a later change of the row was
 * answered.
 */
interface Patch {
  readonly id: number
  readonly value: string
  isOver: boolean
}

/** A controller whose lists and items a stream keeps up to date, and the server that others change too. */
export class LiveWorld {
  readonly program: LiveProgram
  readonly server: EventServer
  readonly clock = new HandClock()
  readonly controller: Controller
  readonly app: ReturnType<typeof appOf>
  readonly open: Request[] = []
  readonly mounts: Mount[] = []
  readonly wrongs: Error[] = []
  readonly waiting = new Set<string>()
  #order = 0
  #lastValue = 0
  /** What the streams of this session have told, and what of it is not on the screen yet. */
  readonly #told = new Map<number, Told>()
  readonly #coming = new Set<number>()
  #noted = new Map<Stream, number>()
  readonly #patches = new Map<string, Patch>()
  /** The items that requests have created. */
  readonly #created = new WeakMap<Request, number>()
  /** The items that this client has deleted, or is deleting. */
  readonly #deleted = new Set<number>()
  /** The place of the newest request for rows that was answered. */
  #lastRead = 0
  /**
   * The places at which changes of rows by this client were answered: what a message told before may give way, and is
   * asked for.
   */
  readonly #changed = new Map<number, number>()
  #lastChange = 0
  /**
   * Lists and items that were asked for before a change of this client was answered: the change counts as newer, though
   * the server may have applied it earlier. A stream that begins behind the event that the list knows doesn't tell.
   */
  readonly overtaken = new Set<string>()
  /** Messages that say nothing, which must be reported. */
  #bad = 0

  constructor(program: LiveProgram) {
    this.program = program
    const { traits } = program
    this.server = new EventServer(traits)
    for (let i = 0; i < FIRST_ITEMS; i++) this.server.create(GROUPS[i % 2] as string, `first ${i}`)
    this.app = appOf(traits, (context) =>
      this.server.connect(context, () => ({ at: this.clock.mono(), order: this.nextOrder() })),
    )
    this.controller = new Controller({
      env: this.clock,
      transport: this.#transport,
      retention: traits.retention === false ? false : { after: traits.retention },
      onError: (error) => this.#reported(error),
    })
  }

  async run(command: LiveCommand): Promise<void> {
    await this.#do(command)
    await settle()
    this.check()
  }

  /** After each step. */
  check(): void {
    this.#note()
    const [wrong] = this.wrongs
    if (wrong !== undefined) throw wrong
    this.#checkSession()
    for (const { what, query } of this.mounts) if ('group' in what) this.#checkList(what.group, query)
  }

  // — steps —

  async #do(command: LiveCommand): Promise<void> {
    const { server, clock, controller, app } = this
    switch (command.do) {
      case 'watch list':
        this.#mount({ group: command.group })
        break
      case 'watch item':
        this.#mount({ id: command.id })
        break
      case 'unwatch':
        this.#leave(pickOf(this.mounts, command.pick))
        break
      case 'fetch list':
        this.#wait(`list ${command.group}`, () => controller.fetch(app.getList, { group: command.group }))
        break
      case 'create': {
        const { group } = command
        const title = this.#value()
        // Nobody could know that one of them would be the new row's.
        const end = this.#endOf([...this.#patches.values()])
        this.#wait(`create ${title}`, () => controller.fetch(app.create, { group }, { group, title } as never), end)
        break
      }
      case 'patch':
        this.#patch(command.id, command.field)
        break
      case 'delete':
        this.#deleted.add(command.id)
        this.#wait(
          `delete ${command.id}`,
          () => controller.fetch(app.delete, { id: command.id }),
          this.#endOf(this.#patchesOf(command.id)),
        )
        break
      case 'create elsewhere':
        server.create(command.group, this.#value())
        break
      case 'edit elsewhere':
        server.change(command.id, { [command.field]: this.#value() })
        break
      case 'move elsewhere':
        server.change(command.id, { group: command.group })
        break
      case 'delete elsewhere':
        server.remove(command.id)
        break
      case 'restore elsewhere':
        server.restore(command.id, command.group, this.#value())
        break
      case 'apply': {
        const request = pickOf(this.open, command.pick)
        if (request !== undefined) this.#apply(request)
        break
      }
      case 'deliver':
        this.deliver(pickOf(this.open, command.pick), command.fault)
        break
      case 'accept': {
        const [stream] = server.waiting
        if (stream !== undefined) server.accept(stream, command.isHeldBack)
        break
      }
      case 'message': {
        const [stream] = server.open
        if (stream !== undefined) server.send(stream, command.most)
        break
      }
      case 'repeat':
        await this.#repeat()
        break
      case 'bad message': {
        const [stream] = server.open
        const bad = [
          { type: 'changed', data: true },
          { type: 'changed', data: { title: 'no key' } },
          { type: 'unknown', data: {} },
        ]
        if (stream === undefined) break
        this.#bad++
        stream.push([bad[command.pick % bad.length] as { type: string; data: unknown }])
        break
      }
      case 'cut': {
        const [stream] = [...server.open, ...server.waiting]
        stream?.cut(endOf(command.how))
        break
      }
      case 'reconnect': {
        const { length } = server.streams
        for (let s = 0; s < 40 && server.streams.length === length && this.isRead; s++) await clock.advance(1_000)
        const [stream] = server.waiting
        if (stream !== undefined) server.accept(stream, false)
        break
      }
      case 'advance':
        await clock.advance(command.ms)
        break
      case 'go offline':
      case 'come back':
        clock.announce({ online: command.do === 'come back' })
        break
      case 'hide':
      case 'show':
        clock.announce({ visible: command.do === 'show' })
        break
      case 'log out':
        this.logOut()
    }
  }

  #value(): string {
    return `v${++this.#lastValue}`
  }

  get isRead(): boolean {
    return this.mounts.length > 0
  }

  /** How the source is connected. */
  get status(): string {
    return this.controller.observe(connection, this.app.getList, { group: 'x' }).getSnapshot()?.status ?? 'idle'
  }

  logOut(): void {
    const { server, controller, app } = this
    server.session++
    this.#told.clear()
    this.#noted = new Map(server.streams.map((stream) => [stream, Infinity]))
    this.overtaken.clear()
    controller.resetEntireStore()
    must((controller.get(app.everyItem) ?? []).length === 0, 'rows are left after the reset')
  }

  // — who shows something —

  #mount(what: Mount['what']): void {
    const { controller, app } = this
    const read = 'group' in what ? app.getList : app.get
    const query = controller.watch(read as typeof app.getList, what as never) as LiveQuery<unknown>
    let last = query.getSnapshot()
    let isOver = false
    const hear = (): void => {
      const now = query.getSnapshot()
      const name = text(what)
      if (isOver) this.wrongs.push(new Wrong(`${name} was notified after it had left`))
      const names = Object.keys({ ...last, ...now }) as (keyof typeof now)[]
      // After a reset the wait begins anew.
      const isAnew = now.status === 'pending'
      if (
        !isAnew &&
        names.every((field) => field === 'data' || Object.is(last[field], now[field])) &&
        same(last.data, now.data)
      )
        this.wrongs.push(new Wrong(`${name} was notified of nothing: ${text(now.data)}`))
      if (last.data !== now.data && same(last.data, now.data))
        this.wrongs.push(new Wrong(`${name} has other data which is the same: ${text(now.data)}`))
      last = now
    }
    const stops = [
      query.subscribe(hear),
      controller.observe(poll, read as typeof app.getList, what as never).subscribe(() => {}),
    ]
    last = query.getSnapshot()
    const stop = (): void => {
      isOver = true
      for (const end of stops) end()
    }
    this.mounts.push({ what, query, stop })
  }

  #leave(mount: Mount | undefined): void {
    if (mount === undefined) return
    this.mounts.splice(this.mounts.indexOf(mount), 1)
    mount.stop()
  }

  // — what must hold —

  /** Notes what has come by the streams and must be on the screen by now. */
  #note(): void {
    const now = this.clock.mono()
    const { maxBuffer } = this.program.traits
    this.#coming.clear()
    for (const stream of this.server.streams) {
      let done = this.#noted.get(stream) ?? 0
      // What a full buffer has held back when the connection ends is sent again by the next one: how much of it was
      // shown is open.
      if (stream.context.signal.aborted && maxBuffer < stream.taken.length) {
        for (const { event } of stream.taken.slice(done)) this.#told.delete(event.item.id)
        done = stream.taken.length
      }
      for (; done < stream.taken.length; done++) {
        const { event, order } = stream.taken[done] as Stream['taken'][number]
        if (this.#dueOf(stream, done) > now) break
        const { id, version, group } = event.item
        if (order < (this.#changed.get(id) ?? 0)) continue
        const entered =
          event.type === 'deleted'
            ? undefined
            : event.type === 'changed'
              ? this.#told.get(id)?.entered
              : { at: order, group: group as string }
        this.#told.set(id, { version, isDeleted: event.type === 'deleted', entered })
      }
      this.#noted.set(stream, done)
      for (const { event } of stream.taken.slice(done)) this.#coming.add(event.item.id)
    }
  }

  /**
   * The time at which an event must be on the screen: a frame takes no more than the buffer holds, and the rest waits
   * for the next.
   */
  #dueOf(stream: Stream, index: number): number {
    const before = index - this.program.traits.maxBuffer
    const { at } = stream.taken[index] as Stream['taken'][number]
    return SHOWN + (before < 0 ? at : Math.max(at, this.#dueOf(stream, before)))
  }

  /** Nothing of an earlier session is there. */
  #checkSession(): void {
    const { controller, app, server } = this
    for (const { id, session } of controller.get(app.everyItem) ?? [])
      must(session === 0 || session === server.session, () => `${id} is of session ${session}, not ${server.session}`)
  }

  #checkList(group: string, query: LiveQuery<unknown>): void {
    const rows = query.getSnapshot().data as readonly Row[] | undefined
    if (rows === undefined) return
    const where = (): string => `in the list of ${group}: ${text(rows)}`
    must(new Set(rows.map(({ id }) => id)).size === rows.length, () => `twice ${where()}`)
    for (const row of rows) {
      if (typeof row.id !== 'number') continue
      this.#checkValues(row, where)
      const told = this.#told.get(row.id)
      if (told === undefined) continue
      const { version, isDeleted } = told
      const isRight = isDeleted ? row.version > version : row.version >= version
      must(isRight, () => `${row.id} has version ${row.version}, though ${text(told)} was told, ${where()}`)
    }
    for (const [id, { entered, version }] of this.#told) {
      // What was asked for since may know that it has left.
      if (entered?.group !== group || this.#coming.has(id) || entered.at < this.#lastRead || this.#deleted.has(id))
        continue
      // By its version, what a response knew of it is later, though that was asked for earlier.
      if (this.program.traits.isVersioned && this.#hasLater(id, version)) continue
      must(
        rows.some((row) => row.id === id),
        () => `${id} has entered ${group}, and is not ${where()}`,
      )
    }
  }

  #hasLater(id: number, version: number): boolean {
    const { controller, app } = this
    return (controller.get(app.everyItem) ?? []).some((row) => row.id === id && row.version > version)
  }

  /** A change that waits is shown, one that has failed is not. */
  #checkValues(row: Row, where: () => string): void {
    for (const field of ['title', 'note'] as const) {
      const patch = this.#patches.get(`${row.id} ${field}`)
      const { [field]: value } = row
      if (patch !== undefined && !patch.isOver)
        must(value === patch.value, () => `${field} of ${row.id} is ${value}, not ${patch.value}, ${where()}`)
      else
        must(this.#isServers(row.id, field, value), () => `the server never had the ${field} of ${row.id} ${where()}`)
    }
  }

  #isServers(id: number, field: LiveField, value: string): boolean {
    if (value === '' || this.server.values.has(`${id} ${field} ${value}`)) return true
    // Of several changes of one field those that wait show through.
    return this.waiting.has(`patch ${id} ${field} ${value}`)
  }

  #reported(error: Error): void {
    if (error instanceof LiveRefusedError) return
    if (this.#bad > 0 && (error.name === 'MissingPkError' || error.name === 'SchemaError')) return
    this.wrongs.push(new Wrong(`reported: ${error.name}: ${error.message}`))
  }

  /** A message that says what is on the screen already notifies nobody. */
  async #repeat(): Promise<void> {
    const { server, clock } = this
    const [stream] = server.open
    if (stream === undefined || stream.sent !== server.lastEvent || stream.hasUnread) return
    const newest = server.events.at(-1)
    if (newest?.type === 'changed') stream.push([server.messageOf(newest)])
    await clock.advance(0)
  }

  // — requests —

  readonly #transport: Transport = (input, init) => {
    const { method = 'GET', signal } = init
    return new Promise((resolve, reject) => {
      const request: Request = {
        method,
        url: new URL(String(input)),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : {},
        at: this.nextOrder(),
        session: this.server.session,
        answer: undefined,
        resolve,
        reject,
      }
      this.open.push(request)
      signal?.addEventListener('abort', () => {
        this.#end(request)
        reject(signal.reason)
      })
    })
  }

  nextOrder(): number {
    return ++this.#order
  }

  #apply(request: Request): Response {
    request.answer ??= this.#answer(request)
    return request.answer
  }

  #answer(request: Request): Response {
    const { server, program } = this
    const { method, url, body, session } = request
    const id = Number(url.pathname.split('/')[2])
    const headers = {
      'content-type': 'application/json',
      ...(program.traits.saysKnown ? { 'x-event-id': `${server.lastEvent}` } : undefined),
    }
    const json = (value: unknown): Response => new Response(JSON.stringify(value), { headers })
    const rowOf = (item: StoredItem): object => ({ ...item, session })
    if (method === 'GET' && Number.isNaN(id)) return json(server.list(url.searchParams.get('group') ?? '').map(rowOf))
    if (method === 'POST') {
      const item = server.create(String(body.group), String(body.title))
      this.#created.set(request, item.id)
      return json(rowOf(item))
    }
    if (method === 'DELETE' && server.remove(id)) return new Response(null, { status: 204 })
    const item = method === 'PATCH' ? server.change(id, body) : server.items.get(id)
    return item === undefined || method === 'DELETE' ? new Response('{}', { status: 404, headers }) : json(rowOf(item))
  }

  /** The response reaches the client, or what a fault makes of it. */
  deliver(request: Request | undefined, fault: LiveFault): void {
    if (request === undefined) return
    this.#end(request)
    if (fault === 503) request.resolve(new Response('busy', { status: 503 }))
    else if (fault === 'lost') request.reject(new TypeError('no network'))
    else {
      const response = this.#apply(request)
      if (fault !== 'none') request.reject(new TypeError('connection reset'))
      else {
        if (request.session === this.server.session) this.#noteAnswer(request)
        request.resolve(response)
      }
    }
  }

  #noteAnswer(request: Request): void {
    const { method, url, at } = request
    const id = this.#created.get(request) ?? Number(url.pathname.split('/')[2])
    const group = url.searchParams.get('group')
    if (method === 'GET') {
      this.#lastRead = Math.max(this.#lastRead, at)
      const isChanging = this.open.some((other) => other.method !== 'GET')
      const what = text(group === null ? { id } : { group })
      if (isChanging || at < this.#lastChange) this.overtaken.add(what)
      else this.overtaken.delete(what)
      return
    }
    this.#lastChange = this.nextOrder()
    this.#changed.set(id, this.#lastChange)
    this.#told.delete(id)
  }

  #end(request: Request): void {
    const at = this.open.indexOf(request)
    if (at >= 0) this.open.splice(at, 1)
  }

  #patch(id: number, field: LiveField): void {
    const { controller, app } = this
    const patch: Patch = { id, value: this.#value(), isOver: false }
    const end = this.#endOf([...this.#patchesOf(id), patch])
    this.#patches.set(`${id} ${field}`, patch)
    this.#wait(
      `patch ${id} ${field} ${patch.value}`,
      () => controller.fetch(app.partialUpdate, { id }, { [field]: patch.value } as never),
      end,
    )
  }

  #patchesOf(id: number): Patch[] {
    return [...this.#patches.values()].filter((patch) => patch.id === id)
  }

  /**
   * Ends patches when a later change of their row is answered: what it says, and a deletion says it of each field,
   * counts.
   */
  #endOf(patches: readonly Patch[]): () => void {
    return () => {
      for (const patch of patches) patch.isOver = true
    }
  }

  #wait(what: string, start: () => Promise<unknown>, onEnd: () => void = () => {}): void {
    this.waiting.add(what)
    const end = (): void => {
      this.waiting.delete(what)
      onEnd()
    }
    start().then(end, (error: unknown) => {
      end()
      if (error instanceof NetworkError || error instanceof TransportError || error instanceof ResetError) return
      this.wrongs.push(new Wrong(`${what} failed with ${String(error)}`))
    })
  }
}

function appOf(traits: LiveProgram['traits'], wire: Parameters<typeof live>[0]['wire']) {
  const { Item, Items } = resourceOf(traits)
  const { resume, maxBuffer, fallbackPoll } = traits
  const source = live({
    name: 'items',
    url: STREAM,
    wire,
    resume,
    maxBuffer,
    fallbackPoll,
    messages: {
      created: Items.getList.schema.push,
      changed: Item,
      moved: Items.getList.schema.move,
      deleted: new Invalidate(Item),
    },
  })
  return { ...Items, getList: Items.getList.extend(source), get: Items.get.extend(source), everyItem: new All(Item) }
}

function endOf(how: LiveEnd): Error | undefined {
  if (how === 'closed') return undefined
  if (how === 'refused') return new LiveRefusedError(STREAM, { status: 401 })
  if (how === 'busy') return new NetworkError(new Response('', { status: 503, headers: { 'retry-after': '5' } }))
  return new TypeError('connection reset')
}

function pickOf<One>(items: readonly One[], pick: number): One | undefined {
  return items.length === 0 ? undefined : items[pick % items.length]
}
