import {
  type EntityInterface,
  INVALID,
  isInline,
  type ListMembers,
  type ListSchema,
  type Member,
  pkOfRef,
} from '../schema/schema.js'
import { reuseInOrder } from '../table/entity-view.js'
import { addDependent, Node } from '../table/graph.js'
import { isShown } from '../table/list-view.js'
import { BROKEN, failureOf, isThere, type ListNode, type ListValue, type MembersChange, Row } from '../table/row.js'
import { SplicedView } from '../table/spliced-view.js'
import type { Kind } from '../table/table.js'
import { freezeInDevelopment, put } from '../util/plain.js'
import { sameRef } from './membership.js'

/** A row that is a list: it notes which of its members changed, so that its view is patched and not rebuilt. */
export class ListRow extends Row implements ListNode {
  declare value: ListValue | undefined
  readonly #shown = new SplicedView<Member>(this, sameRef)

  get children(): readonly (Node | null)[] {
    return this.#shown.children
  }

  override get list(): ListNode {
    return this
  }

  override markDirty(child: Node): boolean {
    // Members are entities: a list that changed is the one that this shows by another class.
    if (!(child instanceof ListRow)) this.#shown.noteChange(child)
    return super.markDirty(child)
  }

  toSee(rowOf: (entity: EntityInterface, pk: string) => Node): readonly (Node | null)[] {
    const { value } = this
    const { list: schema } = this.home
    if (!isThere(value) || schema === undefined) return []
    // Every row is made by a Kind; rows see only the part of it that they need.
    const sweep = (this.home as Kind).life.alive
    return this.#shown.see(value.members, (ref) => memberNode(schema, ref, rowOf), sweep)
  }

  show(): void {
    const { value } = this
    this.view = isThere(value) ? this.#show(value.members) : undefined
  }

  #show(members: ListMembers): unknown {
    // Its members are frozen already, each for itself.
    if (Array.isArray(members)) return Object.freeze(this.#shown.update())
    return freezeInDevelopment(reuseInOrder(this.view, showMembers(members, this.children)))
  }

  showBy(members: ListMembers, see: (entity: EntityInterface, pk: string) => unknown): unknown {
    const { list: schema } = this.home
    const children: { view: unknown }[] = []
    for (const ref of members.values()) {
      const entity = schema?.entityOf(ref)
      children.push({ view: entity === undefined ? inlineOf(ref) : see(entity, pkOfRef(ref)) })
    }
    return showMembers(members, children)
  }

  *membersIn(value: ListValue | undefined): Generator<readonly [EntityInterface, string], void> {
    const { list: schema } = this.home
    if (!isThere(value) || schema === undefined) return
    for (const ref of value.members.values()) {
      const entity = schema.entityOf(ref)
      if (entity !== undefined) yield [entity, pkOfRef(ref)]
    }
  }

  lacksMembers(): boolean {
    if (this.#shown.isWhole) return false
    return this.children.some((child) => child instanceof Row && child.view === INVALID && isThere(child.value))
  }

  stays(): boolean {
    if (this.built !== this.value || !Array.isArray(this.view)) return false
    for (const child of this.#shown.toSee) if (child !== null) addDependent(child, this)
    return this.#shown.update() === this.view
  }

  renew(): void {
    this.#shown.renew()
  }

  expect(change: MembersChange): void {
    this.#shown.expect(change)
  }
}

function memberNode(schema: ListSchema, ref: Member, rowOf: (entity: EntityInterface, pk: string) => Node): Node {
  const entity = schema.entityOf(ref)
  return entity === undefined ? new InlineNode(inlineOf(ref)) : rowOf(entity, pkOfRef(ref))
}

/** What is shown of a member that is no row's. */
function inlineOf(ref: Member): unknown {
  return isInline(ref) ? ref.inline : null
}

/** Stands for a member that is no row's: it never changes. */
class InlineNode extends Node {
  constructor(shown: unknown) {
    super()
    this.view = freezeInDevelopment(shown)
    this.dirty = false
  }
}

function viewOrThrow(child: { view: unknown } | null): unknown {
  // Only rows break.
  if (child?.view === BROKEN) throw failureOf(child as Node)
  return child === null ? null : child.view
}

/** A list's members by their views, an array or for a map an object in the map's order; those that are missing or deleted leave no gap. */
function showMembers(members: ListMembers, children: readonly ({ view: unknown } | null)[]): unknown {
  const views = children.map(viewOrThrow)
  if (!(members instanceof Map)) return views.filter(isShown)
  const shown: Record<string, unknown> = {}
  let at = 0
  for (const key of members.keys()) {
    const view = views[at++]
    if (isShown(view)) put(shown, key, view)
  }
  return shown
}
