import {
  type EntityInterface,
  INVALID,
  isInline,
  type ListMembers,
  type ListSchema,
  type Member,
  pkOfRef,
} from '../schema/schema.js'
import { isShown, viewOrThrow } from '../table/failure.js'
import { Node } from '../table/graph.js'
import { Items } from '../table/items.js'
import { reuseInOrder } from '../table/reuse.js'
import {
  type FixedNode,
  type ListItem,
  type ListNode,
  type ListValue,
  Row,
  type SeeMember,
  type TableRow,
} from '../table/row.js'
import { isThere } from '../table/value.js'
import { freezeInDevelopment, put } from '../util/plain.js'
import { derivations } from './edits.js'
import { arrayOf, sameRef } from './members.js'
import { isFirstPage } from './pages.js'

/** A row that is a list. */
export class ListRow extends Row implements ListNode {
  declare value: ListValue | undefined
  readonly #items = new Items<Member, TableRow | FixedNode>(this, sameRef)

  override get list(): ListNode {
    return this
  }

  override markDirty(child: Node): boolean {
    // Members are entities, so a changed list can only be the one that this row shows.
    if (!(child instanceof ListRow)) this.#items.noteChange(child)
    return super.markDirty(child)
  }

  get lacksFirst(): boolean {
    const first = this.value?.pages[0]
    // It may have been requested by its number.
    return first?.order !== 0 && !isFirstPage(first)
  }

  toSee(rowOf: SeeMember): readonly ListItem[] {
    const { value, home } = this
    const { list: schema } = home
    if (!isThere(value) || schema === undefined) return []
    const refs = arrayOf(value.members)
    const nodeOf = (ref: Member): TableRow | FixedNode => {
      const entity = schema.entityOf(ref)
      return entity === undefined ? new Fixed(inlineOf(ref)) : rowOf(entity, pkOfRef(ref))
    }
    return this.#items.see(refs, nodeOf, home.life.alive, derivations.get(refs))
  }

  show(): unknown {
    const { value } = this
    if (!isThere(value)) return undefined
    if (!(value.members instanceof Map)) return this.#items.update()
    const shown = showMembers(value.members, this.#items.nodes as readonly Node[])
    return freezeInDevelopment(reuseInOrder(this.view, shown))
  }

  showBy(members: ListMembers, see: (entity: EntityInterface, pk: string) => unknown): unknown {
    const children = [...members.values()].map((ref) => {
      const entity = this.home.list?.entityOf(ref)
      return { view: entity === undefined ? inlineOf(ref) : see(entity, pkOfRef(ref)) }
    })
    return showMembers(members, children)
  }

  membersIn(value: ListValue | undefined): Iterable<readonly [EntityInterface, string, Member]> {
    const { list: schema } = this.home
    return isThere(value) && schema !== undefined ? rowsOf(schema, value.members.values()) : []
  }

  lacksMembers(): boolean {
    const { isWhole, nodes } = this.#items
    return !isWhole && nodes.some((child) => child instanceof Row && child.view === INVALID && isThere(child.value))
  }

  renew(): void {
    this.#items.renew()
  }
}

/** Yields the members that are rows. */
export function* rowsOf(
  schema: ListSchema,
  members: Iterable<Member>,
): Generator<readonly [EntityInterface, string, Member], void> {
  for (const ref of members) {
    const entity = schema.entityOf(ref)
    if (entity !== undefined) yield [entity, pkOfRef(ref), ref]
  }
}

/** Returns the view of a member that is not a row. */
function inlineOf(ref: Member): unknown {
  return isInline(ref) ? ref.inline : null
}

/** The node of a member that is not a row, which never changes. */
class Fixed extends Node {
  constructor(shown: unknown) {
    super()
    this.view = freezeInDevelopment(shown)
    this.dirty = false
  }
}

/** Returns the views of a list's members: an array, or an object in a map's order. Missing and deleted ones leave no gap. */
function showMembers(members: ListMembers, children: readonly { view: unknown }[]): unknown {
  const views = children.map(({ view }) => viewOrThrow(view))
  if (!(members instanceof Map)) return views.filter(isShown)
  const shown: Record<string, unknown> = {}
  let at = 0
  for (const key of members.keys()) {
    const view = views[at++]
    if (isShown(view)) put(shown, key, view)
  }
  return shown
}
