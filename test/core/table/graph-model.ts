import { classes, taggedClasses } from './graph-schema.js'

export type KindName = keyof typeof classes
/** A row by its kind and key: `A:3`. */
export type RowName = `${KindName}:${string}`
export type Fields = Readonly<Record<string, unknown>>

const GONE = Symbol('GONE')

/** A stored field that refers to other rows: which, and how they are shown. */
interface Link {
  readonly field: string
  readonly targets: readonly RowName[]
  show(of: (name: RowName) => unknown): unknown
}

/** The rows as a naive reader knows them: no memory but the records, no sharing but within one read. */
export class GraphModel {
  readonly #rows = new Map<RowName, Fields | typeof GONE>()
  // Values derived from the rows are computed once after each change.
  #invalid: ReadonlySet<RowName> | undefined = undefined
  readonly #links = new Map<RowName, readonly Link[]>()
  readonly #shells = new Map<RowName, string>()
  readonly #shown = new Map<RowName, readonly RowName[]>()

  /** Joins fields with what is there; a deleted row begins anew. */
  write(name: RowName, fields: Fields): void {
    const before = this.#rows.get(name)
    this.#change(name, { ...(before === GONE ? undefined : before), ...fields })
  }

  remove(name: RowName): void {
    this.#change(name, GONE)
  }

  #change(name: RowName, row: Fields | typeof GONE): void {
    this.#rows.set(name, row)
    this.#invalid = undefined
    for (const memo of [this.#links, this.#shells, this.#shown]) memo.clear()
  }

  record(name: RowName): Fields | undefined {
    const record = this.#rows.get(name)
    return record === GONE ? undefined : record
  }

  /** Rows that are deleted, or lack an owner that is: the smallest such set. */
  get invalid(): ReadonlySet<RowName> {
    this.#invalid ??= this.#findInvalid()
    return this.#invalid
  }

  #findInvalid(): ReadonlySet<RowName> {
    const invalid = new Set<RowName>()
    for (const [name, record] of this.#rows) if (record === GONE) invalid.add(name)
    for (let size = -1; size !== invalid.size; ) {
      size = invalid.size
      for (const [name, record] of this.#rows) {
        if (record !== GONE && name.startsWith('B') && invalid.has(`A:${record.owner}`)) invalid.add(name)
      }
    }
    return invalid
  }

  links(name: RowName): readonly Link[] {
    const record = this.record(name)
    return record === undefined ? [] : once(this.#links, name, () => linksOf(name, record))
  }

  /** All rows that reading some leads to, whether they are shown or not. */
  reached(roots: Iterable<RowName>): ReadonlySet<RowName> {
    const reached = new Set(roots)
    for (const name of reached) for (const { targets } of this.links(name)) for (const to of targets) reached.add(to)
    return reached
  }

  /** The own part of a row's view: its fields, the class's defaults, and which of its related rows exist. */
  shell(name: RowName): string {
    return once(this.#shells, name, () => {
      const visible: Record<string, unknown> = { ...new classes[name[0] as KindName](), ...this.record(name) }
      for (const { field, show } of this.links(name)) {
        const shown = show((to) => ({ there: to, invalid: GONE, missing: undefined })[this.#state(to)])
        visible[field] = shown === GONE ? undefined : shown
      }
      return JSON.stringify(Object.entries(visible).sort(), (_, value) => (value === undefined ? 'undefined' : value))
    })
  }

  /** Rows below one that are really shown in it. */
  shown(name: RowName): readonly RowName[] {
    return once(this.#shown, name, () =>
      this.links(name).flatMap(({ field, targets }) =>
        field === 'pair' && targets.some((to) => this.invalid.has(to))
          ? []
          : targets.filter((to) => this.#state(to) === 'there'),
      ),
    )
  }

  /**
   * Builds rows by plain recursion; `built` notes the instance of each. With a `tag` they are those that depend on
   * arguments.
   */
  build(name: RowName, built: Map<RowName, object>, tag?: string): unknown {
    const known = built.get(name)
    if (known !== undefined) return known
    const record = this.record(name)
    if (this.invalid.has(name)) return GONE
    if (record === undefined) return undefined
    const Class = (tag === undefined ? classes : taggedClasses)[name[0] as KindName]
    const instance = Object.assign(new Class(), record)
    if (tag !== undefined && record.n !== undefined) Object.assign(instance, { n: `${record.n}${tag}` })
    built.set(name, instance)
    for (const { field, show } of this.links(name)) {
      const shown = show((to) => this.build(to, built, tag))
      Object.assign(instance, { [field]: shown === GONE ? undefined : shown })
    }
    return instance
  }

  /** Members as lists show them: without those that are missing or deleted. */
  buildAll(members: readonly (string | null)[], built: Map<RowName, object>, tag?: string): unknown[] {
    return present(members.map((id) => (id === null ? null : this.build(`A:${id}`, built, tag))))
  }

  #state(name: RowName): 'invalid' | 'missing' | 'there' {
    if (this.invalid.has(name)) return 'invalid'
    return this.record(name) === undefined ? 'missing' : 'there'
  }
}

function once<Value>(memo: Map<RowName, Value>, name: RowName, make: () => Value): Value {
  const known = memo.get(name)
  if (known !== undefined) return known
  const value = make()
  memo.set(name, value)
  return value
}

function linksOf(name: RowName, record: Fields): readonly Link[] {
  const links: Link[] = []
  const one = (field: string, kind: KindName): void => {
    const to: RowName = `${kind}:${record[field]}`
    if (typeof record[field] === 'string') links.push({ field, targets: [to], show: (of) => of(to) })
  }
  const all = (field: string, kind: KindName): void => {
    const ids = record[field] as readonly (string | null)[] | undefined
    if (ids === undefined) return
    const targets = ids.flatMap((id): RowName[] => (id === null ? [] : [`${kind}:${id}`]))
    links.push({ field, targets, show: (of) => present(ids.map((id) => (id === null ? null : of(`${kind}:${id}`)))) })
  }
  if (name.startsWith('B')) {
    one('owner', 'A')
    all('back', 'B')
    return links
  }
  one('a', 'A')
  one('b', 'B')
  const any = record.any as RowName | null | undefined
  if (typeof any === 'string') links.push({ field: 'any', targets: [any], show: (of) => of(any) })
  all('many', 'A')
  const pair = record.pair as { left: string; right: string } | null | undefined
  if (pair) {
    const targets: readonly [RowName, RowName] = [`A:${pair.left}`, `B:${pair.right}`]
    links.push({ field: 'pair', targets, show: (of) => showPair(of(targets[0]), of(targets[1])) })
  }
  return links
}

function showPair(left: unknown, right: unknown): unknown {
  return left === GONE || right === GONE ? GONE : { left, right }
}

function present(views: readonly unknown[]): unknown[] {
  return views.filter((view) => view !== undefined && view !== GONE)
}

/**
 * Compares what is shown with what a naive build gives, rings and all: undefined if they are the same, else where they
 * differ. `pairs` ends with the instance that is shown for each that was built.
 */
export function difference(shown: unknown, built: unknown, pairs: Map<object, object>, at = '$'): string | undefined {
  if (typeof shown !== 'object' || typeof built !== 'object' || shown === null || built === null) {
    return Object.is(shown, built) ? undefined : `${at}: ${String(shown)} instead of ${String(built)}`
  }
  const known = pairs.get(built)
  if (known !== undefined) return known === shown ? undefined : `${at}: one row is shown by two instances`
  pairs.set(built, shown)
  if (Object.getPrototypeOf(shown) !== Object.getPrototypeOf(built)) return `${at}: another class`
  const names = Object.keys(built)
  if (names.length !== Object.keys(shown).length) return `${at}: fields ${Object.keys(shown)} instead of ${names}`
  for (const name of names) {
    const [left, right] = [shown as Fields, built as Fields]
    if (!Object.hasOwn(left, name)) return `${at}.${name}: is missing`
    const found = difference(left[name], right[name], pairs, `${at}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
