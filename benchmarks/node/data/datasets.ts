import { type FlatRow, flatRows } from './flat.js'
import { type Issue, issueList } from './issues.js'
import { nodesOf, type TreeNode, tree } from './tree.js'

/** What an answer consists of: a list of flat rows, a list of nested issues, or a tree. */
export type Shape = 'flat' | 'issues' | 'tree'

/** An answer in three states, as the text that a server would send. */
export interface Dataset {
  readonly shape: Shape
  readonly title: string
  /** How many entities it holds, each counted once. */
  readonly entities: number
  /** The answer. */
  readonly json: string
  /** The answer with another value in 1 % of the entities of its main kind. */
  readonly changed: string
  /** An id of the main kind. */
  readonly middle: string
}

/** The three answers; small ones for a quick look at whether everything works. */
export function datasets(isQuick: boolean): Dataset[] {
  return [flat(isQuick ? 200 : 10_000), issues(isQuick ? 100 : 1_000), branches(isQuick ? 4 : 8)]
}

/** (a): flat rows. */
export function flat(count: number): Dataset {
  const rows = flatRows(count)
  const changed = rows.map((row, i): FlatRow => (i % 100 === 50 ? { ...row, rank: row.rank + 1 } : row))
  const title = `(a) ${count.toLocaleString('en')} flat rows of 12 fields`
  return { shape: 'flat', title, entities: count, ...texts(rows, changed), middle: middleOf(rows) }
}

/** (b): issues with nested users, labels, milestones and repositories. */
export function issues(count: number): Dataset {
  const rows = issueList(count)
  const changed = rows.map((row, i): Issue => (i % 100 === 50 ? { ...row, comments: row.comments + 1 } : row))
  const title = `(b) ${count.toLocaleString('en')} issues with nested entities`
  return { shape: 'issues', title, entities: count + 60 + 24 + 12 + 5, ...texts(rows, changed), middle: middleOf(rows) }
}

/** (c): a tree. */
export function branches(depth: number): Dataset {
  const root = tree(depth)
  const nodes = nodesOf(root)
  const changed = structuredClone(root)
  // The last nodes are leaves far down: a change of one concerns every node above it.
  nodesOf(changed).forEach((node, i) => {
    if (i % 100 === 50 && i > nodes.length / 2) node.weight += 1
  })
  const title = `(c) a tree of ${nodes.length.toLocaleString('en')} nodes`
  return { shape: 'tree', title, entities: nodes.length, ...texts(root, changed), middle: middleOf(nodes) }
}

function texts(answer: unknown, changed: unknown): { json: string; changed: string } {
  return { json: JSON.stringify(answer), changed: JSON.stringify(changed) }
}

function middleOf(rows: readonly (FlatRow | Issue | TreeNode)[]): string {
  return rows[Math.floor(rows.length / 2)]?.id ?? '1'
}
