import type { ListArgs } from '../schema/schema.js'
import type { ListNode } from '../table/row.js'
import { filterText, isNested } from './filter.js'

/** Lists whose arguments have the same names. */
interface Family {
  readonly names: readonly string[]
  readonly lists: Map<ListNode, ListArgs>
  /** The lists by the values of some of their arguments, created on first use. */
  readonly cuts: Map<string, Map<string, Set<ListNode>>>
  /** Lists with an argument that is compared deeply, not as text. */
  readonly odd: Set<ListNode>
}

/** Finds the lists of a kind by their arguments, so that an addition to one of thousands does not scan the others. */
export class ListFinder {
  readonly #families = new Map<string, Family>()
  /** Lists added since the last search. Many applications never search. */
  readonly #fresh = new Map<ListNode, ListArgs>()

  /** Adds a loaded list. */
  add(list: ListNode, args: ListArgs): void {
    this.#fresh.set(list, args)
  }

  /** Adds a list to its family, unless it belongs to a parent, through which alone it is found. */
  #admit(list: ListNode, args: ListArgs): void {
    if (isNested(args)) return
    const names = Object.keys(args).sort()
    const family = this.#family(names)
    if (family.lists.has(list)) return
    family.lists.set(list, args)
    if (names.some((name) => filterText(args[name]) === undefined)) family.odd.add(list)
    else for (const [text, cut] of family.cuts) place(cut, list, args, JSON.parse(text))
  }

  remove(list: ListNode): void {
    this.#fresh.delete(list)
    for (const { lists, odd, cuts } of this.#families.values()) {
      odd.delete(list)
      // The next search creates them again, since sweeps drop many lists at once.
      if (lists.delete(list)) cuts.clear()
    }
  }

  /** Calls `each` for the lists whose filtering arguments all match, and for those that must be tested one by one. */
  find(isFilter: (name: string) => boolean, wanted: (name: string) => unknown, each: (list: ListNode) => void): void {
    for (const [list, args] of this.#fresh) this.#admit(list, args)
    this.#fresh.clear()
    for (const family of this.#families.values()) {
      for (const list of family.odd) each(list)
      const names = family.names.filter(isFilter)
      const text = argsText(names, wanted)
      if (text !== undefined) for (const list of cutOf(family, names).get(text) ?? []) each(list)
    }
  }

  #family(names: readonly string[]): Family {
    const text = JSON.stringify(names)
    const existing = this.#families.get(text)
    if (existing !== undefined) return existing
    const family: Family = { names, lists: new Map(), cuts: new Map(), odd: new Set() }
    this.#families.set(text, family)
    return family
  }
}

function cutOf(family: Family, names: readonly string[]): Map<string, Set<ListNode>> {
  const text = JSON.stringify(names)
  const existing = family.cuts.get(text)
  if (existing !== undefined) return existing
  const cut = new Map<string, Set<ListNode>>()
  family.cuts.set(text, cut)
  for (const [list, args] of family.lists) if (!family.odd.has(list)) place(cut, list, args, names)
  return cut
}

function place(cut: Map<string, Set<ListNode>>, list: ListNode, args: ListArgs, names: readonly string[]): void {
  const text = argsText(names, (name) => args[name])
  if (text === undefined) return
  const lists = cut.get(text)
  if (lists === undefined) cut.set(text, new Set([list]))
  else lists.add(list)
}

/** Returns the values of these names as one text; undefined if a value has no text and must be compared deeply. */
function argsText(names: readonly string[], of: (name: string) => unknown): string | undefined {
  const texts: string[] = []
  for (const name of names) {
    const text = filterText(of(name))
    if (text === undefined) return undefined
    texts.push(text)
  }
  return JSON.stringify(texts)
}
