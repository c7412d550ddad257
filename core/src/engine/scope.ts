import type { RequestPart } from '../endpoint/options.js'
import { pkInArgs } from '../schema/pk.js'
import { type EntityInterface, isEntity, isMemberChanges, isSchemaObject, type Schema } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { CallbackError, OptionError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { Flight, type FlightOwner } from './flight.js'
import { abortErrorOf } from './request.js'

/**
 * Creates the `scope` option of mutations: mutations in the same scope are sent one at a time, in the order of their
 * calls. With `'row'`, mutations that name the same row share a scope. With a function, mutations for which it
 * returns the same text share a scope, and those for which it returns `undefined` have none.
 *
 * @remarks
 * Their optimistic changes show at once, and a failed mutation does not stop the following ones. A `timeout` starts
 * when a mutation is sent. Endpoints share scopes: a `delete` with `scope('row')` waits for the `partialUpdate` of that
 * row. Reads and calls without a controller do not wait.
 *
 * @example
 * ```ts
 * const renameTodo = TodoResource.partialUpdate.extend({ scope: scope('row') })
 * const sortTodo = TodoResource.getList.move.extend({ scope: scope(() => 'places of todos') })
 * ```
 * @throws OptionError for any other value
 */
export function scope<Args extends readonly unknown[]>(
  of: 'row' | ((...args: Args) => string | undefined),
): RequestPart {
  if (of !== 'row' && typeof of !== 'function') {
    throw new OptionError('scope', `must be 'row' or a function, found ${describe(of)}.`)
  }
  // The types of the call have checked the arguments.
  const nameOf = of === 'row' ? rowNameOf : namedBy(of as (...args: readonly unknown[]) => string | undefined)
  const own = new WeakMap<object, Turn>()
  return {
    name: 'scope',
    isOnly: true,
    prepare(flight) {
      if (!(flight instanceof Flight) || !flight.isMutation) return
      const name = nameOf(flight)
      if (name === undefined) return
      const turns = turnsOf.get(flight.owner) ?? new Set()
      turnsOf.set(flight.owner, turns)
      // One of another tab may come before mutations of this tab, which may already wait for it.
      const earlier = [...turns].filter((turn) => turn.flight.start < flight.start && currentName(turn) === name)
      const before = earlier.length > 0 ? Promise.all(earlier.map(({ over }) => over)) : undefined
      let end = (): void => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const turn: Turn = { flight, nameOf, args: flight.args, name, before, over, end }
      own.set(flight, turn)
      turns.add(turn)
    },
    async request(flight, next) {
      const turn = own.get(flight)
      if (turn?.before === undefined) return next()
      await turn.flight.waitFor(turn.before)
      if (turn.flight.isOver) throw abortErrorOf(turn.flight.signal)
      return next()
    },
    settled(flight) {
      const turn = own.get(flight)
      if (turn === undefined) return
      turnsOf.get(turn.flight.owner)?.delete(turn)
      turn.end()
    },
  }
}

type NameOf = (flight: Flight) => string | undefined

/** A mutation's place in its scope. */
interface Turn {
  readonly flight: Flight
  readonly nameOf: NameOf
  /** The arguments from which `name` was computed. */
  args: readonly unknown[]
  name: string | undefined
  /** Settles when all earlier mutations of the scope have; undefined if there are none. */
  readonly before: Promise<unknown> | undefined
  /** Settles when this mutation has. */
  readonly over: Promise<void>
  end(): void
}

/** Each controller's pending mutations with a scope, in the order of their calls. */
const turnsOf = new WeakMap<FlightOwner, Set<Turn>>()

/** Computes the name again if the arguments have changed: a new row may have got its real key. */
function currentName(turn: Turn): string | undefined {
  if (turn.args !== turn.flight.args) {
    turn.args = turn.flight.args
    turn.name = turn.nameOf(turn.flight)
  }
  return turn.name
}

function namedBy(of: (...args: readonly unknown[]) => string | undefined): NameOf {
  return ({ args, key }) => {
    try {
      const name = of(...args)
      return name === undefined ? undefined : `${name}`
    } catch (cause) {
      throw new CallbackError('scope', key, { cause })
    }
  }
}

/** Names the row of a mutation by the primary key in its arguments, or by its URL unless it creates a row. */
function rowNameOf({ endpoint, args, key, owner }: Flight): string | undefined {
  const entity = entityOf(endpoint.schema)
  const pk = entity && (pkInArgs(entity, args) ?? owner.store.views.lookupQuietly(entity, args))
  if (typeof pk === 'string') return `row ${entity?.key} ${pk}`
  return /^(?:PUT|PATCH|DELETE) /.test(key) ? `row ${key.slice(key.indexOf(' ') + 1)}` : undefined
}

export function entityOf(schema: Schema | undefined): EntityInterface | undefined {
  if (isEntity(schema)) return schema
  if (isMemberChanges(schema)) return entityOf(schema.collection.member)
  if (isSchemaObject(schema)) return entityOf(schema.parts?.()[0])
  if (!isPlain(schema) || Array.isArray(schema)) return undefined
  // An object that contains rows: the first one.
  for (const member of Object.values(schema as object)) {
    const entity = entityOf(member as Schema)
    if (entity !== undefined) return entity
  }
  return undefined
}
