import type { ListEngine } from '../commit/list-engine.js'
import { defaultFilter, type FilteredList, type ListTest, listArgs, nestedArgs } from '../lists/filter.js'
import { ListKind } from '../lists/list-kind.js'
import { ListRow } from '../lists/list-row.js'
import { settleLists } from '../lists/member-write.js'
import { isFurther, joinPage, pageMembers } from '../lists/page-result.js'
import { affectedBy, asksAbout, mayEnter, writeLists } from '../lists/write.js'
import { accessorOptions, type EndpointListCode, pageOptions } from '../rest/accessors.js'
import type { Denormalize, SchemaTypes } from '../schema/infer.js'
import type {
  DenormalizeContext,
  EntityInterface,
  ListArgs,
  ListCode,
  ListSchema,
  LookupContext,
  Member,
  NormalizeContext,
  PageMark,
  Ref,
  Schema,
} from '../schema/schema.js'
import { showValues, storedEntries } from '../schema/values.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { stableKey } from '../util/stable-key.js'
import { CollectionAdd, CollectionAssign } from './add.js'
import { keyedMembers, type MemberSchema, storedMember } from './change.js'
import { contentOf, entityOfRef, memberKeys, refOfRow } from './content.js'
import { CollectionMove } from './move.js'
import type {
  AssignOf,
  CollectionArgs,
  CollectionContent,
  CollectionOptions,
  MemberOut,
  StoredMember,
} from './options.js'
import { pageOf } from './page.js'
import { CollectionRemove } from './remove.js'
import { TemporaryKeys } from './temporary-keys.js'

/** The code of lists that a Collection passes to the store, views and endpoints. */
const engine: ListEngine & EndpointListCode = {
  isListCode: true,
  makeLists: (key, life) => new ListKind(key, ListRow, life),
  asksAbout,
  write: writeLists,
  joinPage,
  isFurther,
  pageMembers,
  settle: settleLists,
  affected: affectedBy,
  mayEnter,
  loadPages,
  temporaryKeys: (requests) => new TemporaryKeys(requests),
  accessorOptions,
  pageOptions,
}

let loadingPages: Promise<void> | undefined

/**
 * Loads the code that refreshes lists page by page. If it fails, lists do not need it, and the next call tries again;
 * calls meanwhile share one attempt, since each costs a round trip where bundlers wrap `import`.
 */
export function loadPages(): Promise<void> | undefined {
  if (engine.pageStep !== undefined) return undefined
  loadingPages ??= import('./refresh.js').then(
    ({ pageStep }) => {
      engine.pageStep = pageStep
    },
    () => {
      loadingPages = undefined
    },
  )
  return loadingPages
}

/**
 * A list or a map with an identity: responses with the same arguments are the same list, and mutations can add members,
 * remove them, and move them between lists.
 *
 * @remarks
 * Members such as `push` and `remove` are schemas for the responses of such mutations. A subclass may override the
 * methods that have the names of options.
 *
 * @example
 * ```ts
 * const todos = new Collection([Todo], { nonFilterArgumentKeys: ['orderBy'] })
 * const createTodo = getTodos.extend({ method: 'POST', schema: todos.push })
 * ```
 * @throws OptionError if it holds anything but entities, a Union or a Scalar
 */
export class Collection<
  const S extends CollectionContent,
  Args extends readonly unknown[] = CollectionArgs,
  // biome-ignore lint/suspicious/noExplicitAny: the entity that contains a list has any type; unknown would refuse `(user) => user.id`.
  Parent = any,
> implements FilteredList
{
  declare readonly '~types': SchemaTypes<Denormalize<S>, Denormalize<S> | undefined, string, string | undefined, Args>
  readonly kind = 'list'
  readonly passesOn = true
  readonly engine: ListCode = engine
  readonly key: string
  readonly member: Schema
  readonly isMap: boolean
  readonly belongs: ListSchema['belongs']
  readonly compare: ListSchema['compare']
  declare readonly pageOf?: NonNullable<ListSchema['pageOf']>
  /** Adds members at the end; to a map, under their primary keys. */
  readonly push: MemberSchema<MemberOut<S>, StoredMember<S>>
  /** Adds members at the start. */
  readonly unshift: MemberSchema<MemberOut<S>, StoredMember<S>>
  /** Adds the members of an object to a map, under the object's keys. */
  readonly assign: AssignOf<S>
  /** Removes members from the list; their rows stay. */
  readonly remove: MemberSchema<MemberOut<S>, StoredMember<S>>
  /** Moves a member to the lists that its new values match. */
  readonly move: MemberSchema<MemberOut<S>, StoredMember<S>>

  constructor(schema: S, options: CollectionOptions<NoInfer<S>, Args, Parent> = {}) {
    if (process.env.NODE_ENV !== 'production') checkCallbacks(options)
    const { member, isMap } = contentOf(schema)
    this.member = member
    this.isMap = isMap
    this.key = isMap ? `{${memberKeys(member)}}` : `[${memberKeys(member)}]`
    // The callbacks have the type of this Collection's rows, and the table passes only these.
    this.belongs = options.belongs as ListSchema['belongs']
    this.compare = options.compare as ListSchema['compare']
    override(this, options)
    this.push = new CollectionAdd(this, { at: 'end' })
    this.unshift = new CollectionAdd(this, { at: 'start' })
    // `contentOf` checks the condition of the type.
    this.assign = (isMap ? new CollectionAssign(this) : undefined) as AssignOf<S>
    this.remove = new CollectionRemove(this)
    this.move = new CollectionMove(this, 'end')
  }

  /** Returns the arguments that identify a list. */
  argsKey(...args: Args): object
  argsKey(...args: readonly unknown[]): object {
    // `listArgs` converts any value to arguments.
    return args[0] as object
  }

  /** Returns the arguments of a list nested in an entity. */
  nestKey?(parent: Parent, field: string): object

  /** Returns the position of a page among the pages of its list, lowest first; without it, the cursor decides. */
  pageOrder?(...args: readonly unknown[]): number | undefined

  /** Returns true if an argument of this name does not affect membership. */
  nonFilterArgumentKeys(_name: string): boolean {
    return false
  }

  /** Returns the test that decides which lists a pushed or moved member enters. */
  createCollectionFilter(...args: Args): ListTest {
    return defaultFilter(this, args)
  }

  /** Like `push`, with a custom merge function that places the new members; `filter` replaces `createCollectionFilter`. */
  addWith(
    merge: (existing: readonly Member[], incoming: readonly Member[]) => readonly Member[],
    filter?: (...args: Args) => ListTest,
  ): MemberSchema<MemberOut<S>, StoredMember<S>> {
    // Calls have this Collection's arguments.
    return new CollectionAdd(this, {
      at: merge,
      filter: filter as ((...args: readonly unknown[]) => ListTest) | undefined,
    })
  }

  /** Like `move`, with a custom merge function that places the members. */
  moveWith(
    merge: (existing: readonly Member[], incoming: readonly Member[]) => readonly Member[],
  ): MemberSchema<MemberOut<S>, StoredMember<S>> {
    return new CollectionMove(this, merge)
  }

  /**
   * Returns the same lists for responses that contain one page: `removeCursor` takes a call's arguments and returns those of
   * the list. `pageOrder` orders the pages.
   */
  paginated<PageArgs extends readonly unknown[]>(
    removeCursor: (...args: PageArgs) => readonly unknown[],
  ): Collection<S, PageArgs, Parent> {
    // By contract, `removeCursor` returns the list's arguments.
    const argsKey = (...args: PageArgs): object => this.argsKey(...(removeCursor(...args) as unknown as Args))
    // All other members, including overrides of a subclass, are this Collection's.
    const mark = (args: PageArgs): PageMark => pageOf(args, removeCursor(...args), this.pageOrder)
    return Object.create(this, { argsKey: { value: argsKey }, pageOf: { value: mark } }) as Collection<
      S,
      PageArgs,
      Parent
    >
  }

  get hasDefaultFilter(): boolean {
    return this.createCollectionFilter === Collection.prototype.createCollectionFilter
  }

  isFilter(name: string): boolean {
    return !this.nonFilterArgumentKeys(name)
  }

  entityOf(ref: Member): EntityInterface | undefined {
    return entityOfRef(this.member, ref)
  }

  refOf(kind: string, pk: string): Ref | undefined {
    return refOfRow(this.member, kind, pk)
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): string {
    const args = argsFor(this, context, parent, field)
    const pk = stableKey(args)
    context.list(
      this,
      pk,
      args,
      this.isMap ? keyedMembers(this.member, input, context, 'visit') : arrayOf(this, input, context, parent),
    )
    return pk
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    if (typeof value === 'string') return context.row(this, value)
    // If another class with the same key has stored the payload unchanged, the value is no list of the table.
    if (this.isMap) return showValues(this.member, value, context)
    return Array.isArray(value) ? context.visit([this.member], value) : undefined
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    if (typeof value === 'string') each(this, value)
    else if (this.isMap) for (const [, item] of storedEntries(value)) each(this.member, item)
    else each([this.member], value)
  }

  queryKey(args: readonly unknown[], context: LookupContext): string | undefined {
    // By type, queries have this Collection's arguments.
    const pk = stableKey(listArgs(this.argsKey(...(args as Args))))
    return context.has(this, pk) ? pk : undefined
  }

  parts(): readonly Schema[] {
    return [this.member]
  }
}

/** A Collection of any content and arguments. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments of callbacks are contravariant; no other type accepts all of them.
export type AnyCollection = Collection<any, any, any>

function override(collection: AnyCollection, options: CollectionOptions<never, never, never>): void {
  const { argsKey, nestKey, nonFilterArgumentKeys, createCollectionFilter, pageOrder } = options
  if (pageOrder !== undefined) collection.pageOrder = pageOrder
  if (argsKey !== undefined) collection.argsKey = argsKey
  if (nestKey !== undefined) collection.nestKey = nestKey
  if (nonFilterArgumentKeys !== undefined) collection.nonFilterArgumentKeys = nameTest(nonFilterArgumentKeys)
  if (createCollectionFilter !== undefined) collection.createCollectionFilter = createCollectionFilter
}

/** Throws, in development, if a callback is no function, or if `nonFilterArgumentKeys` is a text. */
function checkCallbacks(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && callbacks.includes(name)) needFunction(name, value, 'a Collection')
    if (name !== 'nonFilterArgumentKeys' || typeof value !== 'string') continue
    const wanted = 'an array of names, a pattern or a function'
    throw new OptionError(name, `of a Collection must be ${wanted}, found ${describe(value)}.`)
  }
}

const callbacks = ['argsKey', 'nestKey', 'createCollectionFilter', 'pageOrder', 'belongs', 'compare']

function nameTest(names: readonly string[] | RegExp | ((name: string) => boolean)): (name: string) => boolean {
  if (typeof names === 'function') return names
  // `search`, because `test` of a global pattern keeps its position.
  if (names instanceof RegExp) return (name) => name.search(names) >= 0
  const set = new Set(names)
  return (name) => set.has(name)
}

/** Returns the arguments of a list in a response: those of the call, of `nestKey`, or those that identify its parent. */
function argsFor(list: AnyCollection, context: NormalizeContext, parent: unknown, field: string | undefined): ListArgs {
  const { owner } = context
  if (owner === undefined) return listArgs(list.argsKey(...context.args))
  return list.nestKey === undefined ? nestedArgs(owner, field) : listArgs(list.nestKey(parent, field ?? ''))
}

function arrayOf(list: ListSchema, input: unknown, context: NormalizeContext, parent: unknown): readonly Member[] {
  if (!Array.isArray(input)) return context.fail('an array', input)
  const { member } = list
  const refs: Member[] = []
  for (let i = 0; i < input.length; i++) {
    const ref = storedMember(member, context.visit(member, input[i], parent, i), { input: input[i], at: i }, context)
    if (ref !== undefined) refs.push(ref)
  }
  return refs
}
