import {
  type Call,
  type Edit,
  GROUPS,
  type ItemData,
  isCreation,
  type ListRead,
  type OwnerData,
  PAGE,
  rowOf,
  StatusError,
  type Target,
} from './domain.js'

/** What goes wrong with a request or its answer. */
export type Fault = 'none' | 'lost' | 'lost answer' | 500 | 401 | 'malformed' | 'empty' | 'twice'

export type Answer = { readonly data: unknown } | { readonly error: Error }

/** What an answer tells beside itself. */
export interface More {
  readonly target: Target
  readonly data: unknown
}

/** One request on its way: it is sent, then the server applies it, then its answer is delivered. */
export interface Request {
  readonly number: number
  /** The client's own number for it. */
  readonly id: number
  readonly call: Call
  readonly signal: AbortSignal | undefined
  isApplied: boolean
  /** True once the client has its answer, or has given up. */
  isOver: boolean
  /** What the server answers, once it has applied the request. */
  answer: Answer | undefined
  /** The server's moment of applying it, 0 before. */
  version: number
  resolve(data: unknown): void
  reject(error: unknown): void
}

/** The truth: items in the order of the list of all, with everything they ever were. */
export class Server {
  readonly requests: Request[] = []
  readonly #items = new Map<string, ItemData>()
  #order: string[] = []
  /** How often the owner of a group was given another name. */
  readonly #renamed = new Map<string, number>()
  /** What a field of a row was set to, by `row field`, with the moments. `@` is the item's being there. */
  readonly history = new Map<string, { readonly version: number; readonly value: unknown }[]>()
  /** What answers tell beside themselves. */
  readonly more = new WeakMap<object, More>()
  #version = 0
  #newId = 0
  #sent = 0
  readonly isInOrder: boolean

  constructor(isInOrder: boolean) {
    this.isInOrder = isInOrder
  }

  /** Requests that the client still waits for. */
  get open(): readonly Request[] {
    return this.requests.filter((request) => !request.isOver)
  }

  /** Requests that it has not got to. */
  get unapplied(): readonly Request[] {
    return this.requests.filter((request) => !request.isApplied)
  }

  send(call: Call, id: number, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request: Request = {
        number: ++this.#sent,
        id,
        call,
        signal,
        isApplied: false,
        isOver: false,
        answer: undefined,
        version: 0,
        resolve,
        reject,
      }
      this.requests.push(request)
      signal?.addEventListener('abort', () => {
        if (request.isOver) return
        request.isOver = true
        reject(signal.reason)
      })
    })
  }

  /** The server gets to a request; one that works in order gets to all that were sent before it first. */
  apply(request: Request | undefined): void {
    if (request === undefined || request.isApplied) return
    if (this.isInOrder) {
      for (const earlier of this.requests.filter((other) => other.number < request.number)) {
        // One that was aborted before the server got to it never reaches it.
        if (earlier.isOver && !earlier.isApplied) this.forget(earlier)
        else this.#apply(earlier)
      }
    }
    this.#apply(request)
  }

  #apply(request: Request): void {
    if (request.isApplied) return
    request.isApplied = true
    try {
      const { call } = request
      const data = call.type === 'read' ? this.#read(call.target) : this.#edit(call.edit)
      request.answer = { data }
      if (call.type === 'edit' && data !== null) this.#tellMore(call.edit, data as object)
    } catch (error) {
      request.answer = { error: error as Error }
    }
    request.version = this.#version
  }

  /** A read of what is not there tells nothing. */
  #tellMore({ also: target }: Edit, answer: object): void {
    if (target === undefined || (target.read === 'item' && !this.has(target.id))) return
    this.more.set(answer, { target, data: this.#read(target) })
  }

  /** What the client is answered if nothing but this fault happens; the server gets to the request, if it can. */
  answerTo(request: Request, fault: Fault): Answer {
    if (fault === 'lost') return { error: new TypeError('no network') }
    if (fault === 500 || fault === 401) return { error: new StatusError(fault) }
    this.apply(request)
    if (fault === 'lost answer') return { error: new TypeError('connection reset') }
    if (fault === 'malformed') return { data: true }
    const { answer = { data: null } } = request
    return fault === 'empty' && 'data' in answer ? { data: null } : answer
  }

  /** The answer reaches the client. */
  deliver(request: Request, answer: Answer, fault: Fault): void {
    this.forget(request)
    if ('error' in answer) request.reject(answer.error)
    else request.resolve(answer.data)
    if (fault === 'twice') request.resolve(null)
  }

  forget(request: Request): void {
    request.isOver = true
    const at = this.requests.indexOf(request)
    if (at >= 0) this.requests.splice(at, 1)
  }

  /** Somebody else edits an item, unheard of by our client. */
  editElsewhere(edit: Edit): void {
    try {
      this.#edit(edit)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
    }
  }

  /** Somebody else gives the owner of a group another name. */
  rename(group: string): void {
    this.#version++
    this.#renamed.set(group, (this.#renamed.get(group) ?? 0) + 1)
  }

  /** What a read shows right now. */
  show(target: Target): unknown {
    return this.#read(target)
  }

  has(id: string | number): boolean {
    return this.#items.has(`Item ${id}`)
  }

  /** True if a field was set to the value at this version or later. */
  wasSince(row: string, field: string, value: unknown, version: number): boolean {
    return (this.history.get(`${row} ${field}`) ?? []).some(
      (entry) => entry.version >= version && entry.value === value,
    )
  }

  /** True if a row was deleted at this version or later. */
  wasDeletedSince(row: string, version: number): boolean {
    return this.wasSince(row, '@', false, version)
  }

  #read(target: Target): unknown {
    if (target.read === 'stats') return { total: this.#items.size, at: this.#version }
    if (target.read === 'item') {
      const item = this.#items.get(`Item ${target.id}`)
      if (item === undefined) throw new StatusError(404)
      return this.#whole(item)
    }
    if (target.read === 'scores')
      return Object.fromEntries(GROUPS.map((group) => [group, { score: this.#score(target.league) }]))
    const { group } = target
    if (target.read === 'board') {
      const items = this.#list(group, 'list')
      return { id: group, title: `board ${group}`, score: this.#score(target.league), items }
    }
    if (target.read === 'box') {
      const items = this.#list(group, 'list')
      return { id: group, title: `box ${group}`, items, own: items.filter((_, i) => i % 2 === 0) }
    }
    if (target.read === 'page')
      return this.#list(group, 'list')
        .slice((target.page ?? 0) * PAGE)
        .slice(0, PAGE)
    const summaries = this.#list(group, target.read)
    return target.read === 'map' ? Object.fromEntries(summaries.map((item) => [String(item.id), item])) : summaries
  }

  /** It is another one after each edit. */
  #score(league: string): string {
    return `${league} ${this.#version}`
  }

  #list(group: string | undefined, read: ListRead): Partial<ItemData>[] {
    const summaries: Partial<ItemData>[] = []
    for (const row of this.#order) {
      const item = this.#items.get(row)
      if (item === undefined || (group !== undefined && item.group !== group)) continue
      if (read === 'feed') summaries.push({ id: item.id, a: item.a, group: item.group, type: item.type })
      else if (item.type === 'item') summaries.push({ id: item.id, a: item.a, group: item.group })
    }
    return summaries
  }

  #edit(edit: Edit): unknown {
    const { deed } = edit
    if (isCreation(deed)) return this.#create(edit)
    const item = this.#items.get(rowOf(edit, edit.id))
    if (item === undefined) throw new StatusError(404)
    if (deed === 'delete') return this.#delete(item, edit)
    const changes: Partial<ItemData> =
      deed === 'increment'
        ? { n: item.n + 1 }
        : deed === 'remove'
          ? { group: '-' }
          : deed === 'move'
            ? { group: edit.group }
            : edit.values
    const next = { ...item, ...changes }
    this.#write(next, Object.keys(changes))
    if (edit.answer === 'empty') return null
    const typed = edit.into === 'feed' ? { type: item.type } : undefined
    return edit.answer === 'full' ? this.#whole(next) : { id: next.id, ...changes, ...typed }
  }

  #create(edit: Edit): unknown {
    const id = edit.id ?? `new ${++this.#newId}`
    const row = rowOf(edit, id)
    if (this.#items.has(row)) throw new StatusError(409)
    const item: ItemData = {
      id,
      // Never what an empty Item has: a view that fills a gap with the same value may be a new one.
      a: edit.values.a ?? -1,
      b: edit.values.b ?? -1,
      n: 10,
      group: edit.group,
      type: edit.type ?? 'item',
      owner: this.#owner(edit.group),
    }
    if (edit.deed === 'unshift' || edit.deed === 'put first') this.#order.unshift(row)
    else this.#order.push(row)
    this.#write(item, ['@', 'a', 'b', 'n', 'group'])
    const typed = edit.into === 'feed' ? { type: item.type } : undefined
    const answer = edit.answer === 'full' ? this.#whole(item) : { id, a: item.a, group: item.group, ...typed }
    return edit.deed === 'assign' ? { [String(id)]: answer } : answer
  }

  #delete(item: ItemData, edit: Edit): unknown {
    const row = rowOf(item, item.id)
    this.#items.delete(row)
    this.#order = this.#order.filter((other) => other !== row)
    this.#note(row, '@', false, ++this.#version)
    if (edit.answer === 'empty') return null
    return edit.answer === 'full' ? this.#whole(item) : { id: item.id }
  }

  #write(item: ItemData, fields: readonly string[]): void {
    const version = ++this.#version
    const row = rowOf(item, item.id)
    this.#items.set(row, item)
    for (const field of fields) this.#note(row, field, field === '@' ? true : item[field as keyof ItemData], version)
  }

  /** All of an item; a note has no owner. */
  #whole(item: ItemData): object {
    const { owner, n, ...note } = item
    return item.type === 'note' ? note : { ...item, owner: this.#owner(owner.id) }
  }

  #owner(group: string): OwnerData {
    const times = this.#renamed.get(group)
    return { id: group, name: times === undefined ? `owner of ${group}` : `owner ${times} of ${group}` }
  }

  #note(row: string, field: string, value: unknown, version: number): void {
    const key = `${row} ${field}`
    const known = this.history.get(key)
    if (known === undefined) this.history.set(key, [{ version, value }])
    else known.push({ version, value })
  }
}
