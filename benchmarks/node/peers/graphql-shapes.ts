import type { Shape } from '../data/datasets.js'

/** A kind as GraphQL describes it: its scalar fields, and its relations. */
export interface Kind {
  readonly name: string
  readonly scalars: readonly string[]
  readonly relations: readonly Relation[]
}

/** A field that leads to another kind. */
export interface Relation {
  readonly field: string
  readonly isMany: boolean
  readonly kind: Kind
}

const words = (text: string): string[] => text.split(' ')
const kind = (name: string, scalars: string, relations: readonly Relation[] = []): Kind => ({
  name,
  scalars: words(scalars),
  relations,
})
const one = (field: string, of: Kind): Relation => ({ field, isMany: false, kind: of })
const many = (field: string, of: Kind): Relation => ({ field, isMany: true, kind: of })

const row = kind('Row', 'id title body author rank score price isOpen createdAt updatedAt url note')
const issue = kind('Issue', 'id number title body state comments isLocked reactions url createdAt updatedAt', [
  one('user', kind('User', 'id login name avatarUrl company bio location followers isAdmin joinedAt')),
  many('labels', kind('Label', 'id name color')),
  one('milestone', kind('Milestone', 'id title dueOn isClosed')),
  one('repository', kind('Repository', 'id fullName description stars isPrivate')),
])

/** GraphQL cannot ask for a tree of any depth, so each level is spelled out; the deepest asks for its empty children too. */
function level(depth: number): Kind {
  return kind('TreeNode', 'id name weight note isOpen updatedAt', [
    many('children', depth === 1 ? kind('TreeNode', 'id') : level(depth - 1)),
  ])
}

/** The field of the query that brings the whole answer. */
export const roots: Record<Shape, Relation> = {
  flat: many('rows', row),
  issues: many('issues', issue),
  tree: one('root', level(8)),
}

/** The text of a selection. */
export function selection({ scalars, relations }: Kind): string {
  const nested = relations.map(({ field, kind: of }) => `${field} { ${selection(of)} }`)
  return ['__typename', ...scalars, ...nested].join(' ')
}

const typed = new Map<string, string>()

/** The answer as a GraphQL server would send it, with the name of each type; parsed anew each time. */
export function parseTyped(shape: Shape, json: string): unknown {
  let text = typed.get(json)
  if (text === undefined) {
    const { field, kind: of, isMany } = roots[shape]
    text = JSON.stringify({ [field]: named(JSON.parse(json), of, isMany) })
    typed.set(json, text)
  }
  return JSON.parse(text)
}

/** A value with the names of its types. */
export function named(value: unknown, of: Kind, isMany: boolean): unknown {
  if (value === null) return null
  if (isMany) return (value as unknown[]).map((item) => named(item, of, false))
  const result: Record<string, unknown> = { __typename: of.name, ...(value as object) }
  for (const relation of of.relations) {
    if (relation.field in result) result[relation.field] = named(result[relation.field], relation.kind, relation.isMany)
  }
  return result
}
