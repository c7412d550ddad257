import { hostOf } from '../../../core/src/client/registry.js'
import { pkOfRef } from '../../../core/src/schema/schema.js'
import type { ListValue } from '../../../core/src/table/row.js'
import { isThere } from '../../../core/src/table/value.js'
import { text } from '../same.js'
import { must } from '../wrong.js'
import { TASK_FIELDS } from './keyed-server.js'
import { LISTS } from './offline-program.js'
import type { Tab } from './offline-world.js'
import type { Task } from './task-app.js'

type Fields = { readonly [Name in (typeof TASK_FIELDS)[number]]?: unknown }

/** What a page shows: its rows by their keys, and the keys of the members of the lists that it has. */
export interface Shown {
  /** Undefined for a row that was deleted. */
  readonly rows: ReadonlyMap<string, Fields | undefined>
  readonly lists: ReadonlyMap<string, readonly string[]>
}

/** What a page must show. */
interface Expected extends Shown {
  /**
   * Members of lists that know who belongs to them: whether they are asked again about a row depends on what was
   * written of it.
   */
  readonly possible: ReadonlySet<string>
}

/**
 * What is on the screen is what the server has told, with what waits, in its order, on top; and nothing but the truth
 * is below. The rows `except` are not looked at.
 */
export function checkShown(tab: Tab, except: ReadonlySet<string>): void {
  // A list that was stored is there when it is first used.
  const { lists } = shownBy(tab)
  const base = baseOf(tab)
  const expected = withOutbox(base, tab)
  const certain = (members: readonly string[] | undefined): string | undefined =>
    members && text(members.filter((pk) => !expected.possible.has(pk)).sort())
  const { rows } = shownBy(tab, base.rows.keys(), expected.rows.keys())
  for (const id of new Set([...rows.keys(), ...expected.rows.keys()])) {
    if (except.has(id)) continue
    const [is, right] = [rows.get(id), expected.rows.get(id)]
    must(
      text(is) === text(right),
      () => `${id} is ${cut(is)}, not ${cut(right)}; below ${cut(base.rows.get(id))}, ${waiting(tab)}`,
    )
  }
  for (const [list, members] of lists) {
    const right = expected.lists.get(list)
    must(
      certain(members) === certain(right),
      () => `the list ${list} is ${members}, not ${right}; below ${base.lists.get(list)}, ${waiting(tab)}`,
    )
    must(new Set(members).size === members.length, () => `twice in the list ${list}: ${members}`)
  }
}

/** A value as text, without what makes it long. */
export function cut(fields: unknown): string {
  return text(fields).replace(/x{10,}/g, '…')
}

function waiting({ store }: Tab): string {
  return `${
    store.outbox
      .getSnapshot()
      .map(({ name, status, args }) => `${name} ${status} ${cut(args)}`)
      .join(', ') || 'nothing'
  } on top`
}

/** What the server has told a page, as far as it knows. */
export function baseOf({ controller, account: { server, isTorn }, version }: Tab): Shown {
  const { store } = hostOf(controller).runtime
  const rows = new Map<string, Fields | undefined>()
  for (const row of store.table.kinds.get('Task')?.rows.values() ?? []) {
    const value = store.base(row)
    if (value !== undefined && !isThere(value)) rows.set(row.pk, undefined)
    if (!isThere(value)) continue
    const { madeBy } = value as { readonly madeBy?: unknown }
    must(madeBy === version, () => `${row.pk} is of version ${madeBy}, in version ${version}`)
    for (const field of TASK_FIELDS) {
      const has = (value as Fields)[field]
      const isTrue = has === undefined || isTorn || server.hasHad(Number(row.pk), field, has)
      must(isTrue, () => `the server never had ${cut(has)} as ${field} of ${row.pk}`)
    }
    rows.set(row.pk, fieldsOf(value))
  }
  const lists = new Map<string, readonly string[]>()
  for (const kind of store.table.lists.values()) {
    for (const row of kind.rows.values()) {
      const value = store.base(row) as ListValue | undefined
      if (value === undefined) continue
      const list = listOf(value)
      const members = [...value.members.values()].map((ref) => pkOfRef(ref))
      if (list !== undefined) lists.set(list, members)
    }
  }
  return { rows, lists }
}

/** The name of a list. */
export function listOf(value: ListValue | undefined): string | undefined {
  return ([value?.args].flat()[0] as { readonly list?: string } | undefined)?.list
}

function fieldsOf(value: object): Fields {
  const { title = '', note = '', list = '' } = value as Fields
  return { title, note, list }
}

/** What a page must show: each mutation that waits changes what those before it have left. */
function withOutbox({ rows: known, lists: read }: Shown, { store, controller, hasKeptLists }: Tab): Expected {
  const possible = new Set<string>()
  // A reset puts those aside that wait, until somebody signs in.
  // A mutation that names a row whose creation has told no key is about to be refused.
  const flights = new Set(
    [...hostOf(controller).runtime.network.flights].flatMap(({ label, isLost }) => (isLost ? [] : label)),
  )
  const rows = new Map(known)
  const lists = new Map(read)
  const change = (list: string, members: (before: readonly string[]) => readonly string[]): void => {
    const before = lists.get(list)
    if (before !== undefined) lists.set(list, members(before))
  }
  // A row that came with no-store is older in the log than the list that it is in, so it may leave that one as well.
  const judge = (pk: string, list: unknown): void => {
    if (!hasKeptLists) return
    for (const [name, members] of lists) if (members.includes(pk) !== (name === `${list}`)) possible.add(pk)
  }
  for (const { id, name, status, args } of store.outbox.getSnapshot()) {
    if (status === 'refused' || !flights.has(id)) continue
    const [first, second] = args as readonly [{ readonly id?: unknown } & Fields, Fields | undefined]
    const pk = `${first.id}`
    const row = rows.get(pk)
    const isDeleted = row === undefined && rows.has(pk)
    switch (name.split('.')[1]) {
      case 'create':
        rows.set(`optimistic:${id}`, fieldsOf(first))
        change(`${first.list}`, (before) => [...before, `optimistic:${id}`])
        break
      case 'partialUpdate':
        if (row === undefined) break
        rows.set(pk, { ...row, ...second })
        judge(pk, row.list)
        break
      case 'update':
        if (isDeleted) break
        rows.set(pk, fieldsOf({ ...row, ...second }))
        // Of a row that came with no-store to the page that has created it, the others know no more than that it is in
        // a list.
        if (row !== undefined) judge(pk, row.list)
        else if (hasKeptLists) possible.add(pk)
        break
      case 'move':
        if (row === undefined) break
        rows.set(pk, fieldsOf({ ...row, ...second }))
        for (const list of LISTS) {
          change(list, (before) => {
            if (list !== second?.list) return before.filter((one) => one !== pk)
            return before.includes(pk) ? before : [...before, pk]
          })
        }
        break
      case 'remove':
        rows.set(pk, undefined)
        for (const list of LISTS) change(list, (before) => before.filter((one) => one !== pk))
    }
  }
  for (const [list, members] of lists)
    lists.set(
      list,
      members.filter((pk) => rows.get(pk) !== undefined),
    )
  return { rows, lists, possible }
}

/** What a page shows of these rows, and of all its lists. */
export function shownBy({ controller, app }: Tab, ...keys: readonly Iterable<string>[]): Shown {
  const rows = new Map<string, Fields>()
  for (const id of new Set(keys.flatMap((some) => [...some]))) {
    const row = controller.get(app.Task, { id })
    if (row !== undefined) rows.set(id, fieldsOf(row))
  }
  const lists = new Map<string, readonly string[]>()
  for (const list of LISTS) {
    const members = controller.watch(app.getList, { list }).getSnapshot().data as readonly Task[] | undefined
    if (members !== undefined)
      lists.set(
        list,
        members.map(({ id }) => `${id}`),
      )
  }
  return { rows, lists }
}
