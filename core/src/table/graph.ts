/** The dependents of a node: none, one node, up to sixteen in an array, more in a Set. Most nodes have one or none. */
export type Dependents = undefined | Node | Node[] | Set<Node>

/** The state of a node in the walk that rebuilds dirty views; exists only during that walk. */
export interface Frame<Viewed extends Node = Node> {
  readonly node: Viewed
  readonly index: number
  low: number
  next: number
  readonly children: readonly Viewed[]
}

/**
 * A row, a list or a result, whose view depends on other nodes. `view` is the last view built; while the node is `dirty`, it
 * may be outdated, and is rebuilt when it is read.
 */
export class Node {
  /** The node's frame during the walk that rebuilds it. */
  dirty: boolean | Frame = true
  view: unknown
  dependents: Dependents

  /** Called when `child` has changed. Returns true if this node was clean: then its dependents must be marked, too. */
  markDirty(_child: Node): boolean {
    if (this.dirty) return false
    this.dirty = true
    return true
  }
}

/** A growing array has room for this many anyway, and a Set of more than eight takes twice the memory. */
const FEW_DEPENDENTS = 16

/** Records that `dependent` depends on `node`. */
export function addDependent(node: Node, dependent: Node): void {
  const dependents = node.dependents
  if (dependents === undefined) node.dependents = dependent
  else if (dependents === dependent) return
  else if (dependents instanceof Set) dependents.add(dependent)
  else if (Array.isArray(dependents)) addToFew(node, dependents, dependent)
  else node.dependents = [dependents, dependent]
}

function addToFew(node: Node, few: Node[], dependent: Node): void {
  if (few.includes(dependent)) return
  if (few.length < FEW_DEPENDENTS) few.push(dependent)
  else node.dependents = new Set(few).add(dependent)
}

/** Removes the dependency of `dependent` on `node`. */
export function removeDependent(node: Node, dependent: Node): void {
  const dependents = node.dependents
  if (dependents === dependent) node.dependents = undefined
  else if (dependents instanceof Set) dependents.delete(dependent)
  else if (Array.isArray(dependents)) {
    const at = dependents.indexOf(dependent)
    if (at >= 0) dependents.splice(at, 1)
  }
}

/** Calls `visit` for each direct dependent of `node`. */
export function eachDependent(node: Node, visit: (dependent: Node) => void): void {
  const dependents = node.dependents
  if (dependents === undefined) return
  if (dependents instanceof Node) visit(dependents)
  else for (const dependent of dependents) visit(dependent)
}

/**
 * Marks all dependents of a changed node dirty, and removes the edges on the way: a dirty node registers its dependencies
 * again when it is rebuilt. The walk stops at nodes that are already dirty.
 */
export function markDependentsDirty(origin: Node): void {
  origin.dirty ||= true
  if (origin.dependents === undefined) return
  const changed: Node[] = [origin]
  for (let child = changed.pop(); child !== undefined; child = changed.pop()) {
    const dependents = child.dependents
    if (dependents === undefined) continue
    child.dependents = undefined
    if (dependents instanceof Node) {
      if (dependents.markDirty(child)) changed.push(dependents)
    } else {
      for (const dependent of dependents) if (dependent.markDirty(child)) changed.push(dependent)
    }
  }
}

/** The operations that the walk needs from the views. */
export interface Builder<Viewed extends Node = Node> {
  /** Returns the dirty nodes directly below one. */
  dirtyBelow(node: Viewed): readonly Viewed[]
  build(node: Viewed): void
  /** Builds nodes that depend on each other in a ring. */
  buildRing(ring: readonly Viewed[]): void
}

/**
 * Rebuilds a dirty node and all dirty nodes below it, children first and rings together: Tarjan's algorithm for strongly
 * connected components, with a stack of its own, since chains of rows can be longer than the call stack.
 */
export function walkDirty<Viewed extends Node>(root: Viewed, builder: Builder<Viewed>): void {
  const work: Frame<Viewed>[] = []
  const open: Frame<Viewed>[] = []
  let index = 0
  const enter = (node: Viewed): void => {
    const children = builder.dirtyBelow(node)
    if (children.length === 0) {
      builder.build(node)
      return
    }
    const frame: Frame<Viewed> = { node, index, low: index, next: 0, children }
    index++
    node.dirty = frame
    work.push(frame)
    open.push(frame)
  }
  try {
    enter(root)
    for (let frame = work.at(-1); frame !== undefined; frame = work.at(-1)) {
      const child = frame.children[frame.next++]
      if (child === undefined) {
        work.pop()
        const parent = work.at(-1)
        if (parent !== undefined && frame.low < parent.low) parent.low = frame.low
        if (frame.low === frame.index) close(frame, open, builder)
      } else if (child.dirty === true) {
        enter(child)
      } else if (child.dirty !== false) {
        if (child.dirty.index < frame.low) frame.low = child.dirty.index
      }
    }
  } finally {
    // Frames are left only if something threw: their nodes stay dirty and are tried again at the next read.
    for (const { node } of open) node.dirty = true
  }
}

/** Completes a component: nodes that depend on each other in a ring, usually a single one. */
function close<Viewed extends Node>(first: Frame<Viewed>, open: Frame<Viewed>[], builder: Builder<Viewed>): void {
  if (open.at(-1) === first && !first.children.includes(first.node)) {
    // The component stays open until it is built, so that the end of the walk finds it if building throws.
    builder.build(first.node)
    open.pop()
    return
  }
  const ring = open.splice(open.lastIndexOf(first)).map((frame) => frame.node)
  try {
    builder.buildRing(ring)
  } finally {
    // A built node is clean; if a user's class threw, the next read tries the node again.
    for (const node of ring) node.dirty &&= true
  }
}
