import type { EntityInterface, ListMembers, ListSchema, Member } from '../schema/schema.js'
import { INVALID, isInline } from '../schema/schema.js'
import { put } from '../util/plain.js'
import { reuse } from './entity-view.js'
import type { ListRow } from './list-row.js'
import { Node } from './node.js'
import { BROKEN, failureOf, isThere, type ListValue, Row } from './row.js'

/** The nodes of a list's members by position. */
export function memberNodes(
  schema: ListSchema,
  members: ListMembers,
  rowOf: (entity: EntityInterface, pk: string) => Node,
): readonly (Node | null)[] {
  const nodes: (Node | null)[] = []
  for (const ref of members.values()) {
    const entity = schema.entityOf(ref)
    nodes.push(entity === undefined ? new InlineNode(inlineOf(ref)) : rowOf(entity, pkOfRef(ref)))
  }
  return nodes
}

/** True if a class refuses a member that is there, as another class of its kind left it: the list is not known by that class. */
export function lacksMembers(list: ListRow): boolean {
  if (list.list.isWhole) return false
  return list.children.some((child) => child instanceof Row && child.view === INVALID && isThere(child.value))
}

/** The primary key in a member reference. */
export function pkOfRef(ref: Member): string {
  if (typeof ref === 'string') return ref
  return isInline(ref) ? '' : ref.id
}

/** What is shown of a member that is no row's. */
export function inlineOf(ref: Member): unknown {
  return isInline(ref) ? ref.inline : null
}

/** Stands for a member that is no row's: it never changes. */
class InlineNode extends Node {
  constructor(shown: unknown) {
    super()
    this.view = shown
    this.dirty = false
  }
}

/** What a list shows: an array, or for a map an object in the map's order. */
export function showList(list: ListRow, value: ListValue, children: readonly (Node | null)[]): unknown {
  if (Array.isArray(value.members)) return list.list.update(children)
  return reuse(list.view, showMembers(value.members, children))
}

function viewOf(child: { view: unknown } | null): unknown {
  // Only rows break.
  if (child?.view === BROKEN) throw failureOf(child as Node)
  return child === null ? null : child.view
}

/** A list's members by their views; those that are missing or deleted leave no gap. */
export function showMembers(members: ListMembers, children: readonly ({ view: unknown } | null)[]): unknown {
  const views = children.map(viewOf)
  const isShown = (view: unknown): boolean => view !== undefined && view !== INVALID
  if (!(members instanceof Map)) return views.filter(isShown)
  const shown: Record<string, unknown> = {}
  let at = 0
  for (const key of members.keys()) {
    const view = views[at++]
    if (isShown(view)) put(shown, key, view)
  }
  return shown
}
