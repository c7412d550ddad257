/** The dependents of a node: none, one node, up to eight in an array, more in a Set. Most nodes have one or none. */
export type Dependents = undefined | Node | Node[] | Set<Node>

/** The state of a node in the walk that rebuilds dirty views; exists only during that walk. */
export interface Frame {
  readonly node: Node
  readonly index: number
  low: number
  next: number
  readonly children: readonly Node[]
}

/**
 * A row, a list or a result, whose view depends on other nodes. `view` was built last; while the node is `dirty`, the view may be
 * outdated and is rebuilt when it is read.
 */
export class Node {
  /** The node's frame during the walk that rebuilds it. */
  dirty: boolean | Frame = true
  view: unknown = undefined
  dependents: Dependents = undefined

  /** Called when `child` has changed. Returns true if this node was clean until now, so that its own dependents must be marked too. */
  soil(_child: Node): boolean {
    if (this.dirty) return false
    this.dirty = true
    return true
  }
}

const FEW_DEPENDENTS = 8

/** Records that `dependent` depends on `node`. */
export function addDependent(node: Node, dependent: Node): void {
  const known = node.dependents
  if (known === undefined) node.dependents = dependent
  else if (known === dependent) return
  else if (known instanceof Set) known.add(dependent)
  else if (Array.isArray(known)) addToFew(node, known, dependent)
  else node.dependents = [known, dependent]
}

function addToFew(node: Node, known: Node[], dependent: Node): void {
  if (known.includes(dependent)) return
  if (known.length < FEW_DEPENDENTS) known.push(dependent)
  else node.dependents = new Set(known).add(dependent)
}

/** Removes the dependency of `dependent` on `node`. */
export function removeDependent(node: Node, dependent: Node): void {
  const known = node.dependents
  if (known === dependent) node.dependents = undefined
  else if (known instanceof Set) known.delete(dependent)
  else if (Array.isArray(known)) {
    const at = known.indexOf(dependent)
    if (at >= 0) known.splice(at, 1)
  }
}

/** Calls `visit` for each direct dependent of `node`. */
export function eachDependent(node: Node, visit: (dependent: Node) => void): void {
  const known = node.dependents
  if (known === undefined) return
  if (known instanceof Node) visit(known)
  else for (const dependent of known) visit(dependent)
}

/**
 * Marks all dependents of a changed node dirty, and removes the edges on the way: a dirty node registers its dependencies again
 * when it is rebuilt. The walk stops at nodes that are dirty already.
 */
export function soilDependents(origin: Node): void {
  origin.dirty ||= true
  if (origin.dependents === undefined) return
  const changed: Node[] = [origin]
  for (let child = changed.pop(); child !== undefined; child = changed.pop()) {
    const dependents = child.dependents
    if (dependents === undefined) continue
    child.dependents = undefined
    if (dependents instanceof Node) {
      if (dependents.soil(child)) changed.push(dependents)
    } else {
      for (const dependent of dependents) if (dependent.soil(child)) changed.push(dependent)
    }
  }
}
