import {
  All,
  batch,
  Collection,
  Controller,
  CreationError,
  Entity,
  type LiveQuery,
  NetworkError,
  type PagesQuery,
  pagesOf,
  type RequestPart,
  ResetError,
  RestEndpoint,
  resource,
  retry,
  revalidate,
  scope,
  type Transport,
  TransportError,
} from '@roundtable/core'
import { ConflictError, withHttp } from '@roundtable/core/http'
import { HandClock, settle } from '@roundtable/core/testing'
import { text } from '../same.js'
import { Watch } from '../watch.js'
import { must, Wrong } from '../wrong.js'
import type { HttpCommand, HttpFault, HttpProgram } from './http-program.js'
import { type Field, type HttpRequest, ItemServer, type Titled, versionIn } from './item-server.js'

class Item extends Entity {
  static override key = 'Item'
  id = 0
  title = ''
  note = ''
  group = ''
  version = 0
}

/** The order of lists, where they have one. */
function byTitle(x: Titled, y: Titled): number {
  const [a = '', b = ''] = [x.title, y.title]
  return a < b ? -1 : Number(a > b)
}

/** The options of Collections that know about their lists. */
const LISTS = {
  sorted: { compare: byTitle },
  kept: { compare: byTitle, belongs: (row: { group?: string }, args: { group?: string }) => row.group === args.group },
}

/** The Collection that a program's resource makes its lists with. */
function collectionOf(lists: 'sorted' | 'kept'): typeof Collection {
  class Known extends Collection<[typeof Item]> {
    constructor(members: [typeof Item], options: object | undefined) {
      super(members, { ...options, ...LISTS[lists] } as never)
    }
  }
  return Known as unknown as typeof Collection
}

/** So many items are on the server from the beginning. */
const FIRST_ITEMS = 5

/** So many ids go into one request. */
const MOST_IDS = 3

const EVERY_ITEM = new All(Item)

function resourceOf(traits: HttpProgram['traits']) {
  const { batches, etag, dataExpiryLength, lists, cursors, scoped } = traits
  const made = resource({
    path: '/items/:id',
    schema: Item,
    searchParams: {} as { group?: string; page?: number },
    paginationField: 'page',
    optimistic: true,
    dataExpiryLength,
    Endpoint: withHttp(RestEndpoint, { etag, ifMatch: 'update' }),
    ...(lists === 'plain' ? undefined : { Collection: collectionOf(lists) }),
    batch: batches ? batch({ path: '/items?id=:ids', max: MOST_IDS }) : undefined,
    scope: scoped ? scope('row') : undefined,
  })
  const { move } = made.getList
  if (!cursors) return { ...made, move }
  const getList = made.getList.extend({
    schema: { items: made.getList.schema, next: '' },
    nextPage: ({ response }) => (response.next ? { page: response.next as never } : undefined),
  })
  // What is read of its data is told by `membersOf`.
  return { ...made, move, getList: getList as unknown as typeof made.getList }
}

/** The members of a list's data, which by cursors has a field beside them. */
export function membersOf(data: unknown): readonly Item[] {
  const { items = data ?? [] } = Object(data) as { readonly items?: unknown }
  return items as readonly Item[]
}

/** Who shows this has logged in. */
function isPrivate(one: { readonly id: number } | { readonly group: string }): boolean {
  return 'group' in one ? one.group === 'y' : one.id % 2 === 1
}

/** A change of one field, and what became of it. Its value is used once. */
interface Patch {
  readonly id: number
  readonly field: string
  readonly value: string
  /**
   * The version that its first attempt named; 0 if it named none, so that it may overwrite anything; undefined before
   * it was sent.
   */
  seenAt: number | undefined
  /** How often the server said that the item has changed. */
  refused: number
  isDone: boolean
  isConflict: boolean
}

/** What a request ends with while there is no network. */
const OFFLINE = new TypeError('offline')

const NO_ATTEMPT = { failures: [] as readonly Error[] }

/** A promise that somebody waits for. */
interface Caller {
  readonly what: string
  readonly abort: AbortController
  isSettled: boolean
}

type Watched =
  | { readonly id: number; readonly query: LiveQuery<unknown>; stop(): void }
  | { readonly group: string; readonly query: PagesQuery<unknown>; stop(): void }

/**
 * A controller that talks HTTP with a server which others change too: retries, offline phases, pages, batches,
 * conflicts, scopes, rows that are still new, and logouts.
 */
export class HttpWorld {
  readonly program: HttpProgram
  readonly server: ItemServer
  readonly clock = new HandClock()
  readonly controller: Controller
  readonly resource: ReturnType<typeof resourceOf>
  readonly open: HttpRequest[] = []
  readonly watched: Watched[] = []
  readonly callers: Caller[] = []
  readonly wrongs: Error[] = []
  /** What was told to developers. */
  readonly warnings: string[] = []
  /** Endpoints by which a change was sent that may overwrite somebody else's. */
  readonly #unguarded = new Set<string>()
  /** URLs of items of which a change was sent: a response to one may have no validator, of which nobody is told. */
  readonly #changed = new Set<string>()
  /** Every request that was sent, by method and URL. */
  readonly log: string[] = []
  /** Reads of single items that began in this step. */
  #begun = 0
  /** The last request that had begun when a mutation settled: reads up to that one are not joined. */
  #fence = 0
  #lastBegun = 0
  readonly #failures = new Map<number, number>()
  /** The reads of each key, in the order in which they began, and with what their attempts have failed. */
  readonly #reads = new Map<string, { readonly id: number; readonly failures: Error[]; isOver: boolean }[]>()
  /** Who watches how often requests have failed. */
  readonly attempts: Watch[] = []
  readonly #patches = new Map<string, Patch>()
  /** The temporary keys that were seen. */
  readonly #temporary = new Set<string>()
  /** Requests that were made by one: they are under its key, whatever is sent in the end. */
  readonly #byTemporary = new Set<number>()
  /** Changes of rows that were new, by their values. */
  readonly #newEdits = new Map<string, { outcome?: 'done' | 'failed' }>()
  /** URLs of items that were named before they were created: nobody could know that a new row is the same. */
  readonly #guessed = new Set<string>()
  /** Of mutations with a scope: the last that was sent to each URL. */
  readonly #lastSent = new Map<string, number>()

  constructor(program: HttpProgram) {
    this.program = program
    const { retries, revalidates, lists, cursors } = program.traits
    this.server = new ItemServer(lists === 'plain' ? undefined : byTitle, cursors)
    for (let i = 0; i < FIRST_ITEMS; i++) this.server.create(i % 2 === 0 ? 'x' : 'y', `first ${i}`, 'others')
    this.resource = resourceOf(program.traits)
    this.controller = new Controller({
      env: this.clock,
      transport: this.#transport,
      parts: [this.#numbered],
      retry: retry({ limit: retries, delay: (failures) => failures * 100, methods: ['GET', 'PUT', 'PATCH', 'DELETE'] }),
      managers: revalidates ? [revalidate()] : [],
      retention: false,
      onError: (error) => this.wrongs.push(new Wrong(`reported: ${error.name}: ${error.message}`)),
    })
    this.controller.on('fetch', ({ endpoint, id, key }) => {
      this.#lastBegun = id
      if (key.includes('optimistic')) this.#byTemporary.add(id)
      this.#reads.set(key, [...(this.#reads.get(key) ?? []), { id, failures: [], isOver: false }])
      if (endpoint.name === 'Item.get') this.#begun++
    })
    this.controller.on('retry', ({ id, key, error }) => {
      this.#retried(id, error)
      this.#readOf(key, id)?.failures.push(error)
    })
    this.controller.on('settle', ({ endpoint, id, key, error }) => {
      const read = this.#readOf(key, id)
      if (read !== undefined) read.isOver = true
      if (endpoint.sideEffect === true) this.#fence = this.#lastBegun
      else if (error?.cause === OFFLINE) this.wrongs.push(new Wrong(`${key} did not wait for the network`))
    })
  }

  async run(command: HttpCommand): Promise<void> {
    this.#begun = 0
    const sent = this.log.length
    this.#do(command)
    if (command.do === 'advance') await this.clock.advance(command.ms)
    // A further page takes turns of its own until it is sent, and fails.
    for (let before = -1; before !== this.log.length; await settle()) before = this.log.length
    if (command.do === 'log out') this.#checkAfterReset(this.log.slice(sent))
    // Some are held back by a 429.
    if (command.do === 'fetch' || command.do === 'watch') this.#checkBatches(this.log.slice(sent))
    this.check()
  }

  /** After each step. */
  check(): void {
    const [wrong] = this.wrongs
    if (wrong !== undefined) throw wrong
    this.#checkPatches()
    this.#checkWarnings()
    this.#checkNew()
    for (const watch of this.attempts) watch.check()
    for (const { group, query } of this.lists) this.#checkMembers(group, membersOf(query.getSnapshot().data))
  }

  /** A list has each member once, and those that know about themselves keep to that. */
  #checkMembers(group: string, members: readonly Item[]): void {
    const { lists } = this.program.traits
    const where = (): string => `the list of ${group}: ${text(members)}`
    must(new Set(members.map(({ id }) => id)).size === members.length, () => `twice in ${where()}`)
    if (lists === 'plain') return
    must(text(members.toSorted(byTitle)) === text(members), () => `out of order in ${where()}`)
    if (lists === 'kept') must(!members.some((item) => item.group !== group), () => `does not belong to ${where()}`)
  }

  /** Watches how often the request of an item has failed so far. */
  #watchAttempts(id: number): void {
    const { get } = this.resource
    const key = get.key({ id })
    const query = this.controller.watch(get, { id })
    const compare = (failureCount: unknown): void => {
      const open = this.#reads.get(key) ?? []
      // The newest one is told of; once that is over, any other.
      const told = open.at(-1)?.isOver === false ? open.slice(-1) : open.filter(({ isOver }) => !isOver)
      const { failureReason } = query.getSnapshot()
      const isRight = (told.length === 0 ? [NO_ATTEMPT] : told).some(
        ({ failures }) => failures.length === failureCount && failures.at(-1) === failureReason,
      )
      must(isRight, () => `${key} has failed ${failureCount} times with ${text(failureReason)}, in fact ${text(told)}`)
    }
    // As hooks follow it.
    const failures = {
      subscribe: (onChange: () => void) => query.fetching.subscribe(onChange),
      getSnapshot: () => query.getSnapshot().failureCount,
    }
    const told = new Watch(`failures of ${key}`, failures, compare, (wrong) => void this.wrongs.push(wrong))
    // It is told of requests, too, that have not failed.
    told.mayRepeat = true
    this.attempts.push(told)
  }

  #do(command: HttpCommand): void {
    const { controller, server, clock, resource } = this
    if ('id' in command && !this.#isHeardOf(command.id)) this.#guessed.add(`/items/${command.id}`)
    switch (command.do) {
      case 'watch':
        for (const id of command.ids) this.#watch(id)
        break
      case 'fetch':
        this.#wait(`fetch ${command.ids}`, (signal) => {
          const get = resource.get.extend({ signal })
          return Promise.all(command.ids.map((id) => controller.fetch(get, { id })))
        })
        break
      case 'watch list':
        this.#watchList(command.group)
        break
      case 'watch attempts':
        this.#watchAttempts(command.id)
        break
      case 'unwatch':
        this.#unwatch(pickOf(this.watched, command.pick))
        break
      case 'next page':
        void pickOf(this.lists, command.pick)?.query.fetchNext()
        break
      case 'refetch':
        void pickOf(this.watched, command.pick)?.query.refetch()
        break
      case 'abort':
        pickOf(this.waiting, command.pick)?.abort.abort()
        break
      case 'apply': {
        const request = pickOf(this.open, command.pick)
        if (request !== undefined) server.apply(request)
        break
      }
      case 'patch':
        this.#patch(command.id, command.field, command.value)
        break
      case 'elsewhere':
        server.change(command.id, { [command.field]: command.value }, 'others')
        break
      case 'move':
        this.#wait(`move ${command.id}`, (signal) =>
          controller.fetch(resource.move.extend({ signal }), { id: command.id }, { group: command.group } as never),
        )
        break
      case 'delete':
        this.#wait(`delete ${command.id}`, (signal) =>
          controller.fetch(resource.delete.extend({ signal }), { id: command.id }),
        )
        break
      case 'patch new':
        this.#patchNew(command)
        break
      case 'delete new':
        this.#withNew(command, (id, signal) => controller.fetch(resource.delete.extend({ signal }), { id }))
        break
      case 'fetch new':
        this.#withNew(command, (id, signal) => controller.fetch(resource.get.extend({ signal }), { id }))
        break
      case 'log out':
        this.#logOut(command.leave)
        break
      case 'delete elsewhere':
        server.remove(command.id, 'others')
        break
      case 'create':
        this.#wait(`create ${command.title}`, () =>
          controller.fetch(resource.create, { group: command.group, title: command.title } as never),
        )
        break
      case 'create elsewhere':
        server.create(command.group, command.title, 'others')
        break
      case 'deliver':
        this.deliver(pickOf(this.open, command.pick), command.fault)
        break
      case 'expire':
        controller.expireAll(resource.get)
        controller.expireAll(resource.getList)
        break
      case 'go offline':
      case 'come back':
        clock.announce({ online: command.do === 'come back' })
        break
      case 'hide':
      case 'show':
        clock.announce({ visible: command.do === 'show' })
        break
      case 'advance':
    }
  }

  get lists(): readonly Extract<Watched, { group: string }>[] {
    return this.watched.filter((one) => 'group' in one)
  }

  /** All items that are known. */
  get known(): readonly Item[] {
    return this.controller.get(EVERY_ITEM) ?? []
  }

  /** True if an item was named before anybody could know that a new row is the same. */
  isGuessed(id: number): boolean {
    return this.#guessed.has(`/items/${id}`)
  }

  /** True if an item has not been created since the beginning, or its creator knows it. */
  #isHeardOf(id: number): boolean {
    return this.server.items.has(id) && (id <= FIRST_ITEMS || this.known.some((item) => item.id === id))
  }

  get waiting(): readonly Caller[] {
    return this.callers.filter(({ isSettled }) => !isSettled)
  }

  #watch(id: number): void {
    const query = this.controller.watch(this.resource.get, { id })
    this.watched.push({ id, query, stop: query.subscribe(() => {}) })
  }

  #watchList(group: string): void {
    const query = pagesOf(this.controller, this.resource.getList, { group })
    this.watched.push({ group, query, stop: query.subscribe(() => {}) })
  }

  #unwatch(one: Watched | undefined): void {
    if (one === undefined) return
    this.watched.splice(this.watched.indexOf(one), 1)
    one.stop()
  }

  // — what is new —

  /** Types say that it is a number; what a component hands on is a text. */
  #withNew(
    { do: what, pick }: { readonly do: string; readonly pick: number },
    call: (id: never, signal: AbortSignal) => Promise<unknown>,
  ): void {
    const id = pickOf([...this.#temporary], pick)
    if (id !== undefined) this.#wait(`${what} ${id}`, (signal) => call(id as never, signal))
  }

  #patchNew(command: Extract<HttpCommand, { do: 'patch new' }>): void {
    const { field, value } = command
    const edit: { outcome?: 'done' | 'failed' } = {}
    this.#newEdits.set(value, edit)
    const { controller, resource } = this
    this.#withNew(command, async (id, signal) => {
      try {
        await controller.fetch(resource.partialUpdate.extend({ signal }), { id }, { [field]: value } as never)
        edit.outcome = 'done'
      } catch (error) {
        if (error instanceof CreationError) edit.outcome = 'failed'
        throw error
      }
    })
  }

  /** What was confirmed of a new row is there; what depended on a creation that failed was never sent. */
  #checkNew(): void {
    for (const { id } of this.known) if (`${id}`.startsWith('optimistic')) this.#temporary.add(`${id}`)
    for (const [value, { outcome }] of this.#newEdits) {
      const isThere = this.server.writes.some((write) => write.value === value)
      must(outcome !== 'done' || isThere, () => `${value} of a new row is lost though it was confirmed`)
      must(outcome !== 'failed' || !isThere, () => `${value} was sent though its row was never created`)
    }
  }

  // — the end of a session —

  #logOut(leave: 'first' | 'then' | 'rendered'): void {
    const leaving = this.watched.filter(isPrivate)
    const go = (): void => {
      for (const one of leaving) this.#unwatch(one)
    }
    if (leave === 'first') go()
    this.controller.resetEntireStore()
    if (leave === 'then') go()
    else if (leave === 'rendered') queueMicrotask(() => queueMicrotask(go))
  }

  /**
   * Nobody asks for those who have left, and for those who stay everything is asked for once: later, if a server wants
   * it so.
   */
  #checkAfterReset(sent: readonly string[]): void {
    const asked = sent.flatMap(thingsIn).toSorted()
    const staying = new Set(this.watched.map((one) => ('group' in one ? `list ${one.group}` : `item ${one.id}`)))
    const isHeldBack = this.program.commands.some((one) => one.do === 'deliver' && one.fault === 429)
    const isRight = isHeldBack
      ? new Set(asked).size === asked.length && asked.every((one) => staying.has(one))
      : text(asked) === text([...staying].toSorted())
    must(isRight, () => `after the session had ended ${text(asked)} was asked for, and ${text([...staying])} is shown`)
  }

  // — HTTP —

  /** The number of the request that each call belongs to. */
  readonly #numbers = new WeakMap<RequestInit, number>()

  readonly #numbered: RequestPart = {
    name: 'numbered',
    exchange: ({ request, init }, next) => {
      this.#numbers.set(init, (request as { readonly start?: number }).start ?? 0)
      return next(init)
    },
  }

  readonly #transport: Transport = (input, init, endpoint) => {
    const { method = 'GET', signal } = init
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    const url = String(input)
    this.log.push(`${method} ${url}`)
    if (/optimistic/.test(`${url} ${init.body}`)) this.wrongs.push(new Wrong(`${method} ${url} names a temporary key`))
    const patch = this.#patchIn({ method, url, body })
    if (patch !== undefined) patch.seenAt ??= versionIn(new Headers(init.headers)) ?? 0
    if (!this.clock.isOnline()) return Promise.reject(OFFLINE)
    return new Promise((resolve, reject) => {
      const request: HttpRequest = {
        id: this.#numbers.get(init) ?? 0,
        method,
        url,
        headers: new Headers(init.headers),
        body,
        answer: undefined,
        isOver: false,
        resolve,
        reject,
      }
      this.#checkAlone(request)
      this.#checkScope(request)
      if (method === 'PATCH' || method === 'DELETE') {
        if (!request.headers.has('if-match') && !this.#changed.has(url)) this.#unguarded.add(String(endpoint.name))
        this.#changed.add(url)
      }
      this.open.push(request)
      signal?.addEventListener('abort', () => {
        this.#end(request)
        reject(signal.reason)
      })
    })
  }

  /** The response reaches the client, or what a fault makes of it. */
  deliver(request: HttpRequest | undefined, fault: HttpFault): void {
    if (request === undefined) return
    this.#end(request)
    // What has acted does not refuse any more.
    const refuses = request.answer === undefined
    if (fault === 503 && refuses) request.resolve(new Response('busy', { status: 503 }))
    else if (fault === 429 && refuses)
      request.resolve(new Response('slow', { status: 429, headers: { 'Retry-After': '1' } }))
    else if (fault === 'lost') request.reject(new TypeError('no network'))
    else {
      const response = this.server.apply(request)
      const patch = this.#patchIn(request)
      if (patch !== undefined && response.status === 412) patch.refused++
      if (fault !== 'lost answer') request.resolve(response)
      else request.reject(new TypeError('connection reset'))
    }
  }

  #end(request: HttpRequest): void {
    request.isOver = true
    const at = this.open.indexOf(request)
    if (at >= 0) this.open.splice(at, 1)
  }

  /** Of reads younger than the last settled mutation, each URL has one at most; a further page belongs to its refresh. */
  #checkAlone({ method, url, id: own }: HttpRequest): void {
    if (url.includes('page=')) return
    const same = this.open.filter((other) => method === 'GET' && other.method === 'GET' && other.url === url)
    const isYoung = (id: number): boolean => id > this.#fence && !this.#byTemporary.has(id)
    if (isYoung(own) && same.some(({ id }) => isYoung(id))) this.wrongs.push(new Wrong(`two reads of ${url} under way`))
  }

  /** Mutations of one scope are sent one after the other, in the order of their calls. */
  #checkScope({ method, url, id }: HttpRequest): void {
    if (!this.program.traits.scoped || (method !== 'PATCH' && method !== 'DELETE')) return
    if (this.#guessed.has(url)) return
    const others = this.open.filter((other) => other.method !== 'GET' && other.url === url && other.id !== id)
    const last = this.#lastSent.get(url) ?? 0
    if (others.length > 0) this.wrongs.push(new Wrong(`two mutations of ${url} under way`))
    if (id < last) this.wrongs.push(new Wrong(`${method} ${url} was overtaken by a later one of its scope`))
    this.#lastSent.set(url, Math.max(id, last))
  }

  /** Reads that began in one tick are as few requests as possible. */
  #checkBatches(sent: readonly string[]): void {
    if (!this.program.traits.batches || this.program.commands.some((one) => one.do === 'deliver' && one.fault === 429))
      return
    const most = Math.ceil(this.#begun / MOST_IDS)
    // A change may have had to wait for a turn of its own.
    const reads = sent.filter((line) => line.startsWith('GET '))
    must(reads.length <= most, () => `${this.#begun} reads of one tick made several requests: ${reads.join(', ')}`)
  }

  /** No request is repeated more often than it may be, unless it waits for the network. */
  #retried(id: number, error: Error): void {
    if (error instanceof TransportError && !this.clock.isOnline()) return
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    if (failures > this.program.traits.retries) this.wrongs.push(new Wrong(`request ${id} is sent again too often`))
  }

  #readOf(key: string, id: number) {
    return this.#reads.get(key)?.find((read) => read.id === id)
  }

  // — conflicts —

  #patch(id: number, field: Field, value: string): void {
    const { controller, resource } = this
    this.#wait(`patch ${id}`, async (signal) => {
      const edit = this.#patchOf(id, field, value)
      try {
        await controller.fetch(resource.partialUpdate.extend({ signal }), { id }, { [field]: value } as never)
        edit.isDone = true
      } catch (error) {
        edit.isConflict = error instanceof ConflictError
        throw error
      }
    })
  }

  #patchOf(id: number, field: string, value: string): Patch {
    const name = `${id} ${field} ${value}`
    const known = this.#patches.get(name) ?? {
      id,
      field,
      value,
      seenAt: undefined,
      refused: 0,
      isDone: false,
      isConflict: false,
    }
    this.#patches.set(name, known)
    return known
  }

  #patchIn({ method, url, body }: Pick<HttpRequest, 'method' | 'url' | 'body'>): Patch | undefined {
    const [[field, value] = []] = Object.entries(body)
    // A move goes to where many go.
    if (method !== 'PATCH' || field === undefined || field === 'group' || value === undefined) return undefined
    return this.#patchOf(Number(url.split('/')[2]), field, value)
  }

  /** Nobody's change is overwritten unseen; there is a reason for every conflict; what was confirmed is there. */
  #checkPatches(): void {
    const { writes } = this.server
    for (const { id, field, value, seenAt, refused, isDone, isConflict } of this.#patches.values()) {
      const where = (): string => `${field} = ${value} of ${id}, seen at ${seenAt}, in ${text(writes)}`
      const mine = writes.findIndex((write) => write.id === id && write.field === field && write.value === value)
      must(!isDone || mine >= 0, () => `lost though it was confirmed: ${where()}`)
      if (seenAt === undefined || seenAt === 0) continue
      const since = writes.filter((write) => write.id === id && write.version > seenAt && write.value !== value)
      // A value of this client in between was overwritten by nobody else: it is the same user's.
      const over = since.filter((write) => write.field === field && writes.indexOf(write) < mine).at(-1)
      must(over?.by !== 'others', () => `overwrote what it had not seen: ${where()}`)
      const reasons = since.filter((write) => refused > 1 || write.field === field)
      must(!isConflict || reasons.length > 0, () => `a conflict without a reason: ${where()}`)
    }
  }

  /**
   * A developer is told once of each endpoint that sends changes without a validator, of items whose list left a field
   * out, and of nothing else.
   */
  #checkWarnings(): void {
    if (process.env.NODE_ENV === 'production') {
      must(this.warnings.length === 0, () => `warned in production: ${this.warnings.join(', ')}`)
      return
    }
    const warnings = this.warnings.filter((warning) => !/^Item\.get sends no request .* had no note\. /.test(warning))
    const told = warnings.map((warning) => /^(\S+) is sent without If-Match/.exec(warning)?.[1])
    const isRight = !told.includes(undefined) && new Set(told).size === told.length
    must(isRight, () => `warned: ${warnings.join(', ')}`)
    for (const name of this.#unguarded) must(told.includes(name), () => `${name} was sent unguarded, and nobody told`)
  }

  // — promises —

  #wait(what: string, start: (signal: AbortSignal) => Promise<unknown>): void {
    const caller: Caller = { what, abort: new AbortController(), isSettled: false }
    this.callers.push(caller)
    start(caller.abort.signal).then(
      () => {
        caller.isSettled = true
      },
      (error: unknown) => {
        caller.isSettled = true
        const isKnown =
          error instanceof NetworkError ||
          error instanceof TransportError ||
          error instanceof ConflictError ||
          error instanceof CreationError ||
          error instanceof ResetError ||
          (error as Error).name === 'AbortError'
        if (!isKnown) this.wrongs.push(new Wrong(`${what} failed with ${String(error)}`))
      },
    )
  }
}

/** What a request asks for: several items may be one request. */
function thingsIn(line: string): readonly string[] {
  const [method, url = ''] = line.split(' ')
  const { pathname, searchParams } = new URL(url, 'http://server.test')
  if (method !== 'GET') return [line]
  const ids = searchParams.get('id')?.split(',') ?? (pathname === '/items' ? [] : [pathname.split('/')[2]])
  return ids.length > 0 ? ids.map((id) => `item ${id}`) : [`list ${searchParams.get('group')}`]
}

function pickOf<One>(items: readonly One[], pick: number): One | undefined {
  return items.length === 0 ? undefined : items[pick % items.length]
}
