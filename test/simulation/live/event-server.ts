import type { LiveMessage, WireContext } from '@roundtable/core/live'
import { type Moment, Stream } from './stream.js'

/** An item as the server holds it. */
export interface StoredItem {
  readonly id: number
  readonly title: string
  readonly note: string
  readonly group: string
  readonly version: number
}

/** One change, as streams tell it. */
export interface ServerEvent {
  readonly id: number
  readonly type: 'created' | 'changed' | 'moved' | 'deleted'
  readonly item: { readonly id: number; readonly version: number } & Partial<StoredItem>
}

/** What streams and responses of a server tell about their place in the order of events. */
export interface Telling {
  /** How many events it remembers. */
  readonly logSize: number
  /** Messages have ids. */
  readonly hasIds: boolean
  /** Streams say where they begin. */
  readonly saysStart: boolean
  /** Lists say up to which event they know all. */
  readonly saysKnown: boolean
  /** Messages have the fields that have changed, and no others. */
  readonly isPartial: boolean
}

/** A server of items that tells of each change. */
export class EventServer {
  readonly items = new Map<number, StoredItem>()
  /** Every value that a field of an item has ever had, as `id field value`. */
  readonly values = new Set<string>()
  readonly events: ServerEvent[] = []
  readonly streams: Stream[] = []
  /** The session in which rows are told: it is in each of them. */
  session = 1
  readonly #telling: Telling
  #lastId = 0
  #version = 0

  constructor(telling: Telling) {
    this.#telling = telling
  }

  get lastEvent(): number {
    return this.events.length
  }

  // — data —

  create(group: string, title: string): StoredItem {
    const item = { id: ++this.#lastId, title, note: '', group, version: ++this.#version }
    this.#write(item)
    this.#tell('created', item)
    return item
  }

  change(id: number, fields: Partial<StoredItem>): StoredItem | undefined {
    const before = this.items.get(id)
    if (before === undefined) return undefined
    const item = { ...before, ...fields, id, version: ++this.#version }
    this.#write(item)
    if (item.group !== before.group) this.#tell('moved', item)
    else this.#tell('changed', this.#telling.isPartial ? { ...fields, id, version: item.version } : item)
    return item
  }

  remove(id: number): boolean {
    if (!this.items.delete(id)) return false
    this.#tell('deleted', { id, version: ++this.#version })
    return true
  }

  /** An item that was deleted is there again. */
  restore(id: number, group: string, title: string): void {
    if (id > this.#lastId || this.items.has(id)) return
    const item = { id, title, note: '', group, version: ++this.#version }
    this.#write(item)
    // Lists that had it before must not have it now.
    this.#tell('moved', item)
  }

  list(group: string): readonly StoredItem[] {
    return [...this.items.values()].filter((item) => item.group === group)
  }

  #write(item: StoredItem): void {
    this.items.set(item.id, item)
    for (const [field, value] of Object.entries(item)) this.values.add(`${item.id} ${field} ${value}`)
  }

  #tell(type: ServerEvent['type'], item: ServerEvent['item']): void {
    this.events.push({ id: this.events.length + 1, type, item })
  }

  // — streams —

  connect(context: WireContext, now: () => Moment): Stream {
    const stream = new Stream(context, now)
    this.streams.push(stream)
    return stream
  }

  /** Those that the client has not given up and the server has not ended. */
  get open(): readonly Stream[] {
    return this.streams.filter((stream) => stream.isOpen && stream.sent !== undefined)
  }

  get waiting(): readonly Stream[] {
    return this.streams.filter((stream) => stream.isOpen && stream.sent === undefined)
  }

  /** The stream begins: where it was asked to, if the server remembers all that came after, else behind the last event. */
  accept(stream: Stream, isHeldBack: boolean): void {
    const { hasIds, saysStart, logSize } = this.#telling
    const asked = hasIds ? stream.context.lastEventId : undefined
    const from = asked === undefined ? this.lastEvent : Number(asked)
    stream.sent = from >= this.lastEvent - logSize ? from : this.lastEvent
    stream.push([{ type: 'opened', ...(saysStart && hasIds ? { id: `${stream.sent}` } : undefined) }])
    if (!isHeldBack) stream.push([])
  }

  /** The next events reach the client, together. */
  send(stream: Stream, most: number): void {
    if (stream.sent === undefined) return
    const events = this.events.slice(stream.sent, stream.sent + most)
    stream.sent += events.length
    stream.push(
      events.map((event) => this.messageOf(event)),
      events,
    )
  }

  messageOf({ id, type, item }: ServerEvent): LiveMessage {
    const data = type === 'deleted' ? { id: item.id } : { ...item, session: this.session }
    return { type, data, ...(this.#telling.hasIds ? { id: `${id}` } : undefined) }
  }
}
