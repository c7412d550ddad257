import type { Store } from '../engine/store.js'
import { type EntityInterface, isEntity, pkOfRef, type Schema } from '../schema/schema.js'
import { eachRelation, eachRow } from '../table/refs.js'
import { type Kind, type ListNode, originOf, type TableRow } from '../table/row.js'

/**
 * Returns the lists that a stored value leads to; undefined if any row is missing that it leads to. Most rows lead to no other, and are only
 * looked at: to collect all of a long list takes longer than to write them.
 */
export function wholeLists(
  { base, rowOf, infos, layers }: Pick<Store, 'base' | 'rowOf' | 'infos' | 'layers'>,
  schema: Schema,
  value: unknown,
): readonly ListNode[] | undefined {
  const lists: ListNode[] = []
  const open = new Set<TableRow>()
  let isWhole = true
  const meet = (row: TableRow): void => {
    if (base(originOf(row)) === undefined) isWhole = false
    else if (row.list !== undefined || row.home.info?.relations.length !== 0) open.add(row)
  }
  eachRow(schema, value, { rowOf }, meet)
  // A Set that grows while it is walked is walked to its end.
  for (const row of open) {
    if (!isWhole) return undefined
    if (row.list === undefined) eachRelation(row, { rowOf }, meet)
    else {
      lists.push(originOf(row.list))
      if (layers.length > 0 || !showsAll(row.list, infos)) eachMember(row.list, infos, meet)
    }
  }
  return isWhole ? lists : undefined
}

/** True if somebody shows a list without a gap, and no member leads to another row. */
function showsAll({ home, value, view, dirty }: ListNode, infos: Store['infos']): boolean {
  const member = home.list?.member
  const members = value?.members
  const isShown = !dirty && Array.isArray(view) && Array.isArray(members) && view.length === members.length
  return isShown && isEntity(member) && infos.of(member).info.relations.length === 0
}

function eachMember(list: ListNode, infos: Store['infos'], meet: (row: TableRow) => void): void {
  const schema = list.home.list
  let home: Kind<TableRow> | undefined
  let of: EntityInterface | undefined
  for (const ref of originOf(list).value?.members.values() ?? []) {
    const entity = schema?.entityOf(ref)
    if (entity === undefined) continue
    // Mostly all are of one class.
    if (entity !== of || home === undefined) home = infos.homeFor(entity)
    of = entity
    meet(home.row(pkOfRef(ref)))
  }
}
