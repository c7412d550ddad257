import { memberOf } from '../schema/named.js'
import type { ListArg, ListArgs, ListSchema, MembershipChange, Owner, RowRecord } from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'

/** Decides from a list's arguments and a member's row whether the list contains the member. */
export type ListTest = (args: ListArgs, record: RowRecord) => boolean

/** The members of a Collection that membership changes need. */
export interface FilteredList extends ListSchema {
  /** True if lists with different values of this argument have different members. */
  isFilter(name: string): boolean
  createCollectionFilter(...args: readonly unknown[]): ListTest
  readonly hasDefaultFilter: boolean
}

/** The argument of lists that belong to a parent, through which alone they are found. */
const ownerArg = '~owner'

/**
 * Returns the arguments of a list as it stores them: numbers and booleans as text, without undefined ones.
 *
 * @remarks
 * Arguments other than an object get the name `''`.
 *
 * @example listArgs({ userId: 1, done: undefined }) // { userId: '1' }
 */
export function listArgs(value: unknown): ListArgs {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return { '': asText(value) }
  const names = Object.keys(value)
  if (names.length === 0) return isPlain(value) ? {} : { '': value }
  // `fromEntries` instead of assignments, so that no name can affect a prototype.
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

/** Returns the arguments of a list that belongs to its parent, which no call's arguments can equal. */
export function nestedArgs(owner: Owner, field: string | undefined): ListArgs {
  return { [ownerArg]: [owner.kind, owner.pk, field ?? ''] }
}

/**
 * Returns true for arguments that `nestedArgs` created.
 *
 * @example isNested({ userId: '1' }) // false
 */
export function isNested(args: ListArgs): boolean {
  return Object.hasOwn(args, ownerArg)
}

/**
 * Returns the text by which an argument's value is compared; undefined for arrays and objects.
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

/** True if a list's argument and a row's field (or a call's argument) are equal: as text, or for objects deeply. */
export function sameArg(a: unknown, b: unknown): boolean {
  const text = filterText(a)
  return text === undefined ? equal(a, b) : text === filterText(b)
}

/**
 * Returns the value that a list's argument must have for a row to be in the list: the row's field, or else the call's
 * argument.
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
 * Returns the default filter: a row is in a list if each filtering argument equals the row's field, or else the call's
 * argument.
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

/** True unless the arguments of a call that adds members contradict those of a list with the default filter. */
export function isOpenTo(list: FilteredList, args: ListArgs, call: readonly unknown[]): boolean {
  if (isNested(args)) return false
  // The user's own functions expect whole rows.
  if (!list.hasDefaultFilter || list.belongs !== undefined) return true
  const [params, body = params] = call
  const isIn = defaultFilter(list, [params, args])
  return (Array.isArray(body) ? body : [body]).some((item) => isIn(args, item))
}

/** True if a row's own fields differ from the arguments of a list with the default filter, so that it cannot be a member. */
export function contradicts(list: FilteredList, args: ListArgs, record: RowRecord): boolean {
  return list.hasDefaultFilter && !defaultFilter(list, [args])(args, record)
}

/**
 * Returns true if lists are filtered by the argument of this name.
 *
 * @throws CallbackError if a user's `nonFilterArgumentKeys` throws
 */
export function isFilter(list: Pick<ListSchema, 'isFilter' | 'key'>, name: string): boolean {
  try {
    return list.isFilter?.(name) === true
  } catch (cause) {
    throw new CallbackError('nonFilterArgumentKeys', list.key, { cause })
  }
}

/**
 * Returns the test for the lists that a member enters by a call.
 *
 * @throws CallbackError if a user's `createCollectionFilter` throws
 */
export function filterOf(list: FilteredList, args: readonly unknown[]): ListTest {
  try {
    return list.createCollectionFilter(...args)
  } catch (cause) {
    throw new CallbackError('createCollectionFilter', list.key, { cause })
  }
}

/** Returns the `matches` of a change that adds members, which excludes lists that belong to a parent. */
export function entering(test: ListTest): MembershipChange['matches'] {
  return (args, record) => (isNested(args) ? undefined : test(args, record))
}
