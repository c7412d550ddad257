import type { PartRequest, RequestPart } from '../endpoint/options.js'
import { pkOfValue, pkText } from '../schema/pk.js'
import { type EntityInterface, isEntity, isMemberChanges, isSchemaObject, type Schema } from '../schema/schema.js'
import { CallbackError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import type { Flight } from './flight.js'
import { abortErrorOf } from './request.js'

/** A mutation's place in its scope. */
interface Turn {
  name: string
  /** Settles when it is over, and all before it are. */
  readonly over: Promise<void>
  /** The end of those before it; undefined if it may be sent at once. */
  readonly before: Promise<void> | undefined
  end(): void
}

/** Sends the mutations of one `scope` one after the other, in the order in which they were called. */
export class Scopes implements RequestPart {
  readonly name = 'scope'
  /** The last mutation of each scope. */
  readonly #last = new Map<string, Turn>()
  readonly #turns = new Map<PartRequest, Turn>()

  prepare(request: PartRequest): void {
    const flight = request as Flight
    const name = scopeOf(flight)
    if (name === undefined) return
    const before = this.#last.get(name)?.over
    let end = (): void => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    const turn: Turn = { name, over: before === undefined ? own : before.then(() => own), before, end }
    this.#turns.set(flight, turn)
    this.#last.set(name, turn)
  }

  async request(request: PartRequest, next: () => Promise<unknown>): Promise<unknown> {
    const flight = request as Flight
    const before = this.#turns.get(flight)?.before
    if (before === undefined) return next()
    await before
    if (flight.isOver) throw abortErrorOf(flight.signal)
    flight.heldUntil = flight.owner.store.sequence.now
    return next()
  }

  /** Rows that were created have their own keys from now on: mutations that were called by the temporary ones come first. */
  read(request: PartRequest): void {
    if ((request as Flight).layer === undefined) return
    for (const [waiting, turn] of this.#turns) {
      const flight = waiting as Flight
      if (flight.endpoint.scope !== 'row') continue
      turn.name = scopeOf(flight) ?? turn.name
      this.#last.set(turn.name, turn)
    }
  }

  settled(request: PartRequest): void {
    const turn = this.#turns.get(request)
    if (turn === undefined) return
    this.#turns.delete(request)
    turn.end()
    for (const [name, last] of this.#last) if (last === turn) this.#last.delete(name)
  }
}

/** The name of a mutation's scope; undefined if it has none. */
function scopeOf(flight: Flight): string | undefined {
  const { endpoint, args, isMutation, key } = flight
  const { scope } = endpoint
  if (scope === undefined || !isMutation) return undefined
  if (scope === 'row') return rowNameOf(flight)
  try {
    // The arguments were checked by the types of the call.
    return `${scope(...(args as never))}`
  } catch (cause) {
    throw new CallbackError('scope', key, { cause })
  }
}

/** The row that a mutation's arguments name, by its primary key; else by its URL, unless it creates one. */
function rowNameOf({ endpoint, args, key, owner }: Flight): string | undefined {
  const entity = entityOf(endpoint.schema)
  const pk =
    entity && (namedPk(entity, args) ?? owner.store.reader({ valueOf: ({ value }) => value }).lookup(entity, args))
  if (typeof pk === 'string') return `${entity?.key} ${pk}`
  return /^(?:PUT|PATCH|DELETE) /.test(key) ? key.slice(key.indexOf(' ') + 1) : undefined
}

function entityOf(schema: Schema | undefined): EntityInterface | undefined {
  if (isEntity(schema)) return schema
  if (isMemberChanges(schema)) return entityOf(schema.collection.member)
  if (isSchemaObject(schema)) return entityOf(schema.target)
  if (!isPlain(schema) || Array.isArray(schema)) return undefined
  // An object around it: its first row.
  for (const member of Object.values(schema as object)) {
    const entity = entityOf(member as Schema)
    if (entity !== undefined) return entity
  }
  return undefined
}

/** Arguments may be a part of a record: if `pk` throws for them, they name no row. */
function namedPk(entity: EntityInterface, args: readonly unknown[]): string | undefined {
  const [first] = args
  if (typeof first !== 'object' || first === null) return pkText(first)
  try {
    return pkOfValue(entity, first, undefined, undefined, args)
  } catch {
    return undefined
  }
}
