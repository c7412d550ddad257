import { All, Controller, countBy, transfer } from '@roundtable/core'
import { HandClock } from '../engine/clock.js'
import { EveryRow } from '../schemas/every-row.js'
import { GraphMemory } from './graph-memory.js'
import { difference, type Fields, GraphModel, type KindName, type RowName } from './graph-model.js'
import { A, B, getList, getPlain, List, removers, TaggedA, TaggedList, taggedClasses } from './graph-schema.js'

const everyA = new EveryRow([A])
const positive = new All(A, { belongs: ({ n }) => n > 0, compare: (x, y) => y.n - x.n, limit: 4 })
const owned = countBy(new All(A), ({ b }) => b?.n)

/** Builds the graph of a seed in a store and in the model, changes it, and throws what differs. */
export function runGraph(seed: number): void {
  new Run(seed).run(seed % 3 === 0)
}

/** A small generator of numbers that are the same for the same seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** One graph in the real store and in the model, and what is read of both. */
class Run {
  readonly #pick: (below: number) => number
  readonly #size: number
  readonly #handsOver: boolean
  readonly #selects: boolean
  readonly #controller = new Controller({ env: new HandClock(), retention: false })
  readonly #model = new GraphModel()
  readonly #memory = new GraphMemory(this.#model)
  /** Of the readers whose rows depend on arguments: those rows belong to the reader. */
  readonly #taggedMemories = [new GraphMemory(this.#model), new GraphMemory(this.#model)] as const
  #list: readonly string[] = []
  #plain: readonly (string | null)[] = []
  #lastList: readonly unknown[] | undefined = undefined
  readonly #seen = new Set<RowName>()
  #mounted: { readonly read: () => unknown; notified: number; shown: unknown }[] = []

  constructor(seed: number) {
    this.#pick = seeded(seed)
    this.#handsOver = seed % 2 === 0
    this.#selects = seed % 4 === 0
    this.#size = 2 + this.#pick(5)
  }

  run(isMounted: boolean): void {
    for (let at = 0; at < this.#size * 2; at++) if (this.#pick(4) > 0) this.#write()
    this.#writeList()
    this.#writePlain()
    if (isMounted) this.#mount()
    for (let step = 0; step < 6; step++) {
      this.#edit(isMounted)
      if (isMounted) this.#checkMounted()
      else if (this.#pick(3) > 0) this.#readOne()
    }
    this.#readRows([...this.#names()])
  }

  // — edits —

  #edit(isMounted: boolean): void {
    const edits = isMounted ? 1 : 1 + this.#pick(2)
    for (let at = 0; at < edits; at++) {
      const what = this.#pick(10)
      if (what < 5) this.#write()
      else if (what < 7) this.#remove()
      else if (what < 8) this.#writeList()
      else if (what < 9) this.#writePlain()
      else if (!isMounted) this.#thereAndBack()
    }
  }

  #write(name = this.#name(), fields = this.#fields(name)): void {
    this.#model.write(name, fields)
    const [kind, id] = partsOf(name)
    this.#controller.set(kind === 'A' ? A : B, { id }, this.#handed(fields))
  }

  /** A row that is changed and changed back before anybody reads. */
  #thereAndBack(): void {
    const name = this.#name()
    const before = this.#model.record(name)
    if (before === undefined) return
    this.#write(name, { n: 99 })
    this.#write(name, { n: before.n })
  }

  #remove(): void {
    const name = this.#name()
    const [kind, id] = partsOf(name)
    this.#model.remove(name)
    this.#controller.setResponse(removers[kind], { id }, { id })
  }

  #writeList(): void {
    this.#list = [...new Set(this.#ids())]
    this.#controller.setResponse(getList, {}, this.#handed(this.#list))
  }

  #writePlain(): void {
    this.#plain = this.#ids().map((id) => (this.#pick(6) === 0 ? null : id))
    this.#controller.setResponse(getPlain, {}, this.#handed(this.#plain))
  }

  /** Handed over or not comes to the same. */
  #handed<Value>(value: Value): Value {
    return this.#handsOver ? transfer(structuredClone(value)) : value
  }

  #fields(name: RowName): Fields {
    const fields: Record<string, unknown> = { id: partsOf(name)[1], n: this.#pick(3) }
    const maybe = (field: string, value: () => unknown): void => {
      if (this.#pick(3) === 0) fields[field] = value()
    }
    if (name.startsWith('B')) {
      fields.owner = this.#pick(3) === 0 ? null : this.#id()
      maybe('back', () => this.#ids())
      return fields
    }
    maybe('a', () => (this.#pick(4) === 0 ? null : this.#id()))
    maybe('b', () => this.#id())
    maybe('any', () => (this.#pick(4) === 0 ? null : this.#name()))
    maybe('many', () => this.#ids().map((id) => (this.#pick(8) === 0 ? null : id)))
    maybe('pair', () => ({ left: this.#id(), right: this.#id() }))
    return fields
  }

  #id(): string {
    return `${this.#pick(this.#size)}`
  }

  #ids(): string[] {
    return Array.from({ length: this.#pick(5) }, () => this.#id())
  }

  #name(): RowName {
    return `${this.#pick(3) > 0 ? 'A' : 'B'}:${this.#id()}`
  }

  *#names(): Generator<RowName> {
    for (let id = 0; id < this.#size; id++) yield* [`A:${id}`, `B:${id}`] as const
  }

  // — reads —

  #readOne(): void {
    if (this.#pick(3) > 0) this.#readRows([this.#name()])
    else this.#readList()
  }

  #readRows(names: readonly RowName[]): void {
    for (const name of names) {
      const [kind, id] = partsOf(name)
      this.#check([name], this.#controller.get(kind === 'A' ? A : B, { id }), (built) => {
        const view = this.#model.build(name, built)
        return typeof view === 'symbol' ? undefined : view
      })
      this.#readTagged(name)
    }
  }

  /** A row as it depends on arguments: nobody remembers it, so every read shows another instance. */
  #readTagged(name: RowName): void {
    const [kind, id] = partsOf(name)
    const shown = this.#controller.get(taggedClasses[kind], { id, tag: '?' } as { id: string })
    const view = this.#model.build(name, new Map(), '?')
    const wrong = difference(shown, typeof view === 'symbol' ? undefined : view, new Map())
    if (wrong !== undefined) throw new Error(`Reading ${name} with arguments: ${wrong}`)
  }

  #readList(): void {
    const shown = this.#controller.get(List, {})
    this.#checkMembers(this.#list, shown)
    const before = this.#lastList
    if (before !== undefined && shown !== undefined && (before === shown) !== sameItems(before, shown)) {
      throw new Error('The list is the same array exactly if its members are the same.')
    }
    this.#lastList = shown
  }

  #checkMembers(members: readonly (string | null)[], shown: unknown): void {
    const roots = members.flatMap((id): RowName[] => (id === null ? [] : [`A:${id}`]))
    this.#check(roots, shown, (built) => this.#model.buildAll(members, built))
  }

  #check(
    roots: readonly RowName[],
    shown: unknown,
    build: (built: Map<RowName, object>) => unknown,
    memory = this.#memory,
    seen = this.#seen,
  ): void {
    const built = new Map<RowName, object>()
    const pairs = new Map<object, object>()
    const wrong = difference(shown, build(built), pairs)
    if (wrong !== undefined) throw new Error(`Reading ${roots}: ${wrong}`)
    const instances = new Map<RowName, object>()
    for (const [name, instance] of built) instances.set(name, pairs.get(instance) as object)
    for (const name of instances.keys()) seen.add(name)
    const moved = memory.check(roots, visible(instances))
    if (moved !== undefined) throw new Error(`Reading ${roots}: ${moved}`)
  }

  // — readers that stay —

  #mount(): void {
    const list = this.#controller.watch(getList, {})
    const plain = this.#controller.watch(getPlain, {})
    const one = this.#controller.view(A, { id: '0' })
    const tagged = this.#controller.view(TaggedA, { id: '0', tag: '!' } as { id: string })
    const taggedList = this.#controller.view(TaggedList, {})
    const selections = this.#selects ? [positive, owned].map((schema) => this.#controller.view(schema as All)) : []
    for (const observer of [list, plain, one, tagged, taggedList, ...selections]) {
      const read = (): unknown => observer.getSnapshot()
      const mounted = { read, notified: 0, shown: read() }
      observer.subscribe(() => mounted.notified++)
      this.#mounted.push(mounted)
    }
    this.#checkAll()
  }

  #checkMounted(): void {
    for (const mounted of this.#mounted) {
      const shown = mounted.read()
      if (mounted.notified !== (shown === mounted.shown ? 0 : 1)) {
        throw new Error(`A reader was notified ${mounted.notified} times; it should be once if its value changed.`)
      }
      Object.assign(mounted, { notified: 0, shown })
    }
    this.#checkAll()
  }

  #checkAll(): void {
    this.#seen.clear()
    const [list, plain, one, tagged, taggedList, ...selections] = this.#mounted.map(({ shown }) => shown) as [
      { data: unknown },
      { data: unknown },
      ...unknown[],
    ]
    if (this.#selects) this.#checkSelections(selections)
    this.#checkMembers(this.#list, list.data)
    this.#checkMembers(this.#plain, plain.data)
    this.#check(['A:0'], one, (built) => {
      const view = this.#model.build('A:0', built)
      return typeof view === 'symbol' ? undefined : view
    })
    this.#memory.hideAllBut(this.#seen)
    this.#checkTagged(0, ['A:0'], tagged, (built) => this.#model.build('A:0', built, '!'))
    const roots = this.#list.map((id): RowName => `A:${id}`)
    this.#checkTagged(1, roots, taggedList, (built) => this.#model.buildAll(this.#list, built, 'undefined'))
  }

  /** Selections show what filtering, sorting and counting all rows gives. */
  #checkSelections([selected, counted]: readonly unknown[]): void {
    const rows = this.#controller.get(everyA) as readonly A[] | undefined
    const told = rows
      ?.filter(({ n }) => n > 0)
      .toSorted((x, y) => y.n - x.n)
      .slice(0, 4)
    const isRight = told === undefined ? selected === undefined : sameItems(told, selected as readonly unknown[])
    if (!isRight) throw new Error('The selection is not what filtering and sorting all rows gives.')
    const counts = new Map<string, number>()
    for (const { b } of rows ?? []) counts.set(`${b?.n}`, (counts.get(`${b?.n}`) ?? 0) + 1)
    const groups = Object.entries((counted ?? {}) as Record<string, number>)
    if (groups.length !== counts.size || groups.some(([group, count]) => counts.get(group) !== count)) {
      throw new Error('The counts are not those of all rows.')
    }
  }

  #checkTagged(
    at: 0 | 1,
    roots: readonly RowName[],
    shown: unknown,
    build: (built: Map<RowName, object>) => unknown,
  ): void {
    const memory = this.#taggedMemories[at]
    const seen = new Set<RowName>()
    const show = (built: Map<RowName, object>): unknown => {
      const view = build(built)
      return typeof view === 'symbol' ? undefined : view
    }
    this.#check(roots, shown, show, memory, seen)
    memory.hideAllBut(seen)
  }
}

/**
 * Rows that the naive build made but that nothing shows (in a pair whose other half is deleted) have no instance to
 * compare.
 */
function visible(instances: ReadonlyMap<RowName, object | undefined>): Map<RowName, object> {
  const seen = new Map<RowName, object>()
  for (const [name, instance] of instances) if (instance !== undefined) seen.set(name, instance)
  return seen
}

function partsOf(name: RowName): readonly [KindName, string] {
  return [name[0] as KindName, name.slice(2)]
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
