import { memberOf } from '../schema/named.js'
import type { ListArg, ListArgs, ListSchema, MembershipChange, Owner, RowRecord } from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'

/** Decides from a list's arguments and a member's row whether the list contains the member. */
export type ListTest = (args: ListArgs, record: RowRecord) => boolean

/** The part of a Collection that changes of membership need. */
export interface FilteredList extends ListSchema {
  /** True if an argument of this name filters: lists with different values of it have different members. */
  isFilter(name: string): boolean
  createCollectionFilter(...args: readonly unknown[]): ListTest
  /** True if `createCollectionFilter` is the default one, which only calls `isFilter`. */
  readonly hasDefaultFilter: boolean
}

/** The argument of lists that belong to a parent and are reached through it only. */
const ownerArg = '~owner'

/**
 * The arguments of a list as it keeps them: numbers and booleans as text, nothing that is undefined.
 *
 * @remarks
 * Only an object has names; anything else gets the name `''`.
 *
 * @example listArgs({ userId: 1, done: undefined }) // { userId: '1' }
 */
export function listArgs(value: unknown): ListArgs {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return { '': asText(value) }
  const names = Object.keys(value)
  if (names.length === 0) return isPlain(value) ? {} : { '': value }
  // Entries, and not assignments, so that no name can reach a prototype.
  return Object.fromEntries(definedEntries(value as RowRecord, names))
}

function definedEntries(args: RowRecord, names: readonly string[]): (readonly [string, ListArg])[] {
  const entries: (readonly [string, ListArg])[] = []
  for (const name of names) {
    const value = args[name]
    if (value !== undefined) entries.push([name, asText(value)])
  }
  return entries
}

function asText(value: unknown): ListArg {
  return typeof value === 'object' || typeof value === 'function' ? value : String(value)
}

/** The arguments of a list that belongs to its parent: no call's arguments are ever equal to them. */
export function nestedArgs(owner: Owner, field: string | undefined): ListArgs {
  return { [ownerArg]: [owner.kind, owner.pk, field ?? ''] }
}

/**
 * True for the arguments that `nestedArgs` made.
 *
 * @example isNested({ userId: '1' }) // false
 */
export function isNested(args: ListArgs): boolean {
  return Object.hasOwn(args, ownerArg)
}

/**
 * The text by which an argument's value is compared; undefined for an array or object, which has none.
 *
 * @example
 * ```ts
 * filterText(5) === filterText('5') // true
 * filterText(null) === filterText('null') // false
 * ```
 */
export function filterText(value: unknown): string | undefined {
  if (value === null) return ''
  return typeof value === 'object' || typeof value === 'function' || value === undefined
    ? undefined
    : `=${String(value)}`
}

/** True if a list's argument and a row's field (or a call's argument) are equal as text, objects deeply. */
export function sameArg(a: unknown, b: unknown): boolean {
  const text = filterText(a)
  return text === undefined ? equal(a, b) : text === filterText(b)
}

/**
 * The value that a list's argument must have for a row to be in the list: the row's own field, or else the call's argument.
 *
 * @example wantedBy([{ userId: 1 }, { title: 'a' }])('userId', { id: '5' }) // 1
 */
export function wantedBy(callArgs: readonly unknown[]): (name: string, record: RowRecord) => unknown {
  const [params, body] = callArgs
  return (name, record) => {
    const own = memberOf(record, name)
    if (own !== undefined) return own
    const param = memberOf(params, name)
    return param === undefined ? memberOf(body, name) : param
  }
}

/**
 * The default filter: a row is in a list if each argument that filters is equal to the row's field, or else to the call's argument.
 *
 * @example
 * ```ts
 * const isIn = defaultFilter(collection, [{ userId: 1 }])
 * isIn({ userId: '1' }, { id: '5' }) // true
 * ```
 */
export function defaultFilter(list: Pick<FilteredList, 'isFilter' | 'key'>, callArgs: readonly unknown[]): ListTest {
  const wanted = wantedBy(callArgs)
  return (args, record) => {
    for (const name of Object.keys(args)) {
      if (isFilter(list, name) && !sameArg(args[name], wanted(name, record))) return false
    }
    return true
  }
}

/**
 * True if an argument of this name filters.
 *
 * @throws CallbackError for what a user's `nonFilterArgumentKeys` throws
 */
export function isFilter(list: Pick<ListSchema, 'isFilter' | 'key'>, name: string): boolean {
  try {
    return list.isFilter?.(name) === true
  } catch (cause) {
    throw new CallbackError('nonFilterArgumentKeys', list.key, { cause })
  }
}

/**
 * The test of which lists a member enters by a call.
 *
 * @throws CallbackError for what a user's `createCollectionFilter` throws
 */
export function filterOf(list: FilteredList, args: readonly unknown[]): ListTest {
  try {
    return list.createCollectionFilter(...args)
  } catch (cause) {
    throw new CallbackError('createCollectionFilter', list.key, { cause })
  }
}

/** `matches` of a change that enters lists; lists that belong to a parent are left alone. */
export function entering(test: ListTest): MembershipChange['matches'] {
  return (args, record) => (isNested(args) ? undefined : test(args, record))
}
