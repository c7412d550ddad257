import { Endpoint } from '../endpoint/endpoint.js'
import type { EndpointInterface, SourceCall, SourceHost } from '../endpoint/options.js'
import { Entity } from '../schema/entity.js'
import { pkOfValue, pkText } from '../schema/pk.js'
import { type EntityInterface, isEntity, type Schema, type SchemaContract } from '../schema/schema.js'
import { type Env, nextFrame } from '../util/env.js'
import { isPlain } from '../util/plain.js'
import { toError } from '../util/thrown.js'

/** The meaning of messages of one name. */
interface MessageType {
  readonly name: string
  readonly schema: Schema
  /** The entity of the rows in them; undefined if their data is not rows. */
  readonly entity: EntityInterface | undefined
  readonly deletes: boolean
  /** True if it only identifies rows. */
  readonly isRow: boolean
  /** Writes a single one of them. */
  readonly endpoint: EndpointInterface
}

/** The changes of a frame to one row, in order of arrival. */
interface Item {
  type: MessageType
  data: unknown[]
}

/** Messages that have the same place in the order of requests and writes. */
interface Part {
  readonly start: number
  readonly items: Map<string, Item>
  /** The number of messages by name. */
  readonly names: Map<string, number>
  /** The number of items without a key, and the type of the last one. */
  loose: number
  last: MessageType | undefined
}

/** The types of messages by name, computed once per source. */
export class Messages {
  readonly #types: ReadonlyMap<string, MessageType>
  /** Writes all rows of a part at once. */
  readonly together: EndpointInterface

  constructor(name: string, schemas: Readonly<Record<string, Schema>>, lifetime: number | undefined) {
    const write = (schema: Schema): EndpointInterface =>
      new Endpoint(nothing, { name, key: () => name, schema, sideEffect: true, dataExpiryLength: lifetime })
    const types = Object.entries(schemas).map(([message, schema]): MessageType => {
      const isRow = isEntity(schema)
      const { deletes = false, kind, parts } = isRow ? {} : (schema as Partial<SchemaContract>)
      const member = isRow ? schema : deletes || kind === 'member' ? parts?.call(schema)[0] : undefined
      const entity = isEntity(member) && member.process === Entity.process ? member : undefined
      return { name: message, schema, entity, deletes, isRow, endpoint: write(schema) }
    })
    this.#types = new Map(types.map((type) => [type.name, type]))
    const fields = types.flatMap(({ name: field, schema, isRow, entity }) =>
      entity === undefined ? [] : [[field, isRow ? [schema] : schema] as const],
    )
    this.together = write(Object.fromEntries(fields) as Schema)
  }

  of(name: string): MessageType | undefined {
    return this.#types.get(name)
  }
}

async function nothing(): Promise<undefined> {
  return undefined
}

/** The messages that wait for the next paint. Their position in the order is that of their arrival. */
export class Frame {
  /** The number of waiting rows. */
  size = 0
  readonly #host: SourceHost
  readonly #messages: Messages
  /** The calls that the source keeps up to date. */
  readonly #calls: () => Iterable<SourceCall>
  /** The source's name in developer tools. */
  readonly #source: string
  #parts: Part[] = []
  /** Continues reading when the frame is written. */
  #resume: (() => void) | undefined

  constructor(host: SourceHost, messages: Messages, calls: () => Iterable<SourceCall>, source: string) {
    this.#host = host
    this.#messages = messages
    this.#calls = calls
    this.#source = source
  }

  /** Adds the data of a message. Returns false for an unknown name. */
  take(name: string, data: unknown): boolean {
    const type = this.#messages.of(name)
    if (type === undefined) return false
    const isList = type.entity !== undefined && Array.isArray(data)
    for (const item of isList ? (data as unknown[]) : [data]) this.#add(type, item)
    const names = this.#parts.at(-1)?.names
    names?.set(name, (names.get(name) ?? 0) + 1)
    return true
  }

  /** Settles when the waiting messages are written. */
  written(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  /** Schedules the waiting messages to be written soon, even if nothing is painted. */
  hurry(env: Env): void {
    if (this.#parts.length > 0) nextFrame(env, this.flush)
  }

  /** Drops the waiting messages. */
  drop(): void {
    for (const { start } of this.#parts) this.#host.end(start)
    this.#clear()
  }

  /** Writes the waiting messages, and notifies readers once. */
  readonly flush = (): void => {
    const parts = this.#parts
    if (parts.length === 0) return
    this.#parts = []
    for (const { start, names } of parts) this.#host.tell('message', `${toldOf(names)} from ${this.#source}`, start)
    this.#host.notifyOnce(() => {
      for (const part of parts) this.#write(part)
    })
    for (const { start } of parts) this.#host.end(start)
    if (this.#parts.length === 0) this.#clear()
  }

  #clear(): void {
    this.#parts = []
    this.size = 0
    this.#resume?.()
    this.#resume = undefined
  }

  #add(type: MessageType, data: unknown): void {
    const pk = type.entity && pkOf(type.entity, data)
    const key = pk === undefined ? undefined : `${type.entity?.key} ${pk}`
    const part = this.#partFor(type, key)
    this.size++
    const item = key === undefined ? undefined : part.items.get(key)
    if (item === undefined) {
      if (key === undefined) part.last = type
      part.items.set(key ?? `\0${part.loose++}`, { type, data: [data] })
      return
    }
    if (type.deletes) {
      this.size -= item.data.length
      item.type = type
      item.data = [data]
      return
    }
    // A row that is added and then changed stays an addition.
    if (item.type.isRow) item.type = type
    const last = item.data.at(-1)
    if (!canMerge(type.entity, last, data)) item.data.push(data)
    else {
      item.data[item.data.length - 1] = { ...(last as object), ...(data as object) }
      this.size--
    }
  }

  /** Returns the part for a message: a new one if another request or write has taken a number since the last message. */
  #partFor(type: MessageType, key: string | undefined): Part {
    const part = this.#parts.at(-1)
    if (part !== undefined && part.start === this.#host.now && fits(part, type, key)) return part
    if (part === undefined) nextFrame(this.#host.env, this.flush)
    const next: Part = { start: this.#host.begin(), items: new Map(), names: new Map(), loose: 0, last: undefined }
    this.#parts.push(next)
    return next
  }

  #write(part: Part): void {
    const items = [...part.items.values()]
    // Data that could not be merged is written in sequence, so that the class's own merge receives each part.
    const isOne = ({ type, data }: Item): boolean => type.entity !== undefined && data.length === 1
    const rows = items.filter(isOne)
    const fields: Record<string, unknown[]> = {}
    for (const { type, data } of rows) {
      fields[type.name] ??= []
      fields[type.name]?.push(...data)
    }
    try {
      if (rows.length > 0) this.#host.write({ endpoint: this.#messages.together, args: this.#args }, fields, part.start)
    } catch {
      // If one item cannot be written, the others still are.
      for (const item of rows) this.#writeAlone(item, part.start)
    }
    for (const item of items) if (!isOne(item)) this.#writeAlone(item, part.start)
  }

  #writeAlone({ type, data }: Item, start: number): void {
    // Data of the endpoint's own schema is treated as its response; data of an entity identifies its row.
    const own = type.isRow ? [] : [...this.#calls()].filter(({ endpoint }) => endpoint.schema === type.schema)
    const calls = own.length > 0 ? own : [{ endpoint: type.endpoint, args: this.#args }]
    for (const item of data) {
      try {
        for (const call of calls) this.#host.write(call, item, start)
      } catch (thrown) {
        this.#host.report(toError(thrown, type.name))
      }
    }
  }

  /**
   * If a source has only one call, its arguments complete the messages. They contain no body, which would name new values.
   */
  get #args(): readonly unknown[] {
    const [first, second] = this.#calls()
    return first === undefined || second !== undefined ? [] : [...first.args, {}]
  }
}

/** '2 × changed, deleted (3 in this frame)'. */
function toldOf(names: ReadonlyMap<string, number>): string {
  let count = 0
  const told = Array.from(names, ([name, times]) => {
    count += times
    return times > 1 ? `${times} × ${name}` : name
  })
  return `${told.join(', ')} (${count} in this frame)`
}

/** True if a message can share the sequence number of a part. */
function fits({ items, last }: Part, type: MessageType, key: string | undefined): boolean {
  if (key === undefined) return items.size === 0 || last === type
  if (last !== undefined) return false
  const item = items.get(key)
  if (item === undefined || item.type === type || type.deletes) return true
  // A row that returns after its deletion is newer, and changes of a row's lists happen in order.
  const isOneOf = item.type.isRow || type.isRow
  return isOneOf && !item.type.deletes && item.type.entity === type.entity
}

function pkOf(entity: EntityInterface, data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return pkText(data)
  try {
    return pkOfValue(entity, data, undefined, undefined, [])
  } catch {
    // The write reports the error.
    return undefined
  }
}

const mergers = ['merge', 'shouldUpdate', 'shouldReorder', 'mergeWithStore'] as const

/** True if two records of a row can be merged into one: later fields win, and nothing within earlier fields is lost. */
function canMerge(entity: EntityInterface | undefined, before: unknown, after: unknown): boolean {
  if (mergers.some((name) => entity?.[name] !== Entity[name]) || !isPlain(before) || !isPlain(after)) return false
  return Object.keys(after).every((field) => {
    const value = (before as Readonly<Record<string, unknown>>)[field]
    return typeof value !== 'object' || value === null
  })
}
