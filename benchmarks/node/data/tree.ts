import { seeded, words } from './random.js'

/** A node with its children nested in it. */
export interface TreeNode {
  id: string
  name: string
  weight: number
  note: string
  isOpen: boolean
  updatedAt: string
  children: TreeNode[]
}

/** A tree of `depth` levels in which each node that is no leaf has three children: 8 levels are 3,280 nodes. */
export function tree(depth: number): TreeNode {
  const random = seeded(depth)
  let last = 0
  const make = (level: number): TreeNode => {
    const id = String(++last)
    const children = level === 1 ? [] : [make(level - 1), make(level - 1), make(level - 1)]
    const updatedAt = new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString()
    const weight = Math.floor(random() * 100)
    return { id, name: words(random, 2), weight, note: words(random, 5), isOpen: random() < 0.5, updatedAt, children }
  }
  return make(depth)
}

/** Every node of a tree, from the root down. */
export function nodesOf(root: TreeNode): TreeNode[] {
  const nodes = [root]
  // The list grows while it is walked.
  for (const node of nodes) nodes.push(...node.children)
  return nodes
}
