/** Who must hear of a change: nothing, one node, up to eight in an array, more in a Set. Most nodes have one or none. */
export type Dependents = undefined | Node | Node[] | Set<Node>

/** Where a node stands in the walk that rebuilds dirty views; only while that walk is under way. */
export interface Frame {
  readonly node: Node
  readonly index: number
  low: number
  next: number
  readonly children: readonly Node[]
}

/**
 * Something that is shown and stands on other such things: a row, a list, a result. `view` is what was built last; while `dirty`,
 * it may no longer hold and is rebuilt when read.
 */
export class Node {
  /** A frame while the walk that rebuilds it is at it. */
  dirty: boolean | Frame = true
  view: unknown = undefined
  dependents: Dependents = undefined

  /** Hears that `child` changed; true if this node was clean until now, so that its own dependents must hear of it too. */
  soil(_child: Node): boolean {
    if (this.dirty) return false
    this.dirty = true
    return true
  }
}

const FEW_DEPENDENTS = 8

/** Notes that `dependent` stands on `node`. */
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

/** Forgets that `dependent` stands on `node`. */
export function removeDependent(node: Node, dependent: Node): void {
  const known = node.dependents
  if (known === dependent) node.dependents = undefined
  else if (known instanceof Set) known.delete(dependent)
  else if (Array.isArray(known)) {
    const at = known.indexOf(dependent)
    if (at >= 0) known.splice(at, 1)
  }
}

/** Calls `visit` for each node that stands right on `node`. */
export function eachDependent(node: Node, visit: (dependent: Node) => void): void {
  const known = node.dependents
  if (known === undefined) return
  if (known instanceof Node) visit(known)
  else for (const dependent of known) visit(dependent)
}

/**
 * Marks all that stands on a changed node dirty. Edges are used up on the way: a dirty node notes anew what it stands on when it
 * is rebuilt. What is dirty already has been told before, so the walk stops there.
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
