import type { Frame, Node } from './node.js'

/** The operations that the walk needs from the views. */
export interface Builder {
  /** Returns the dirty nodes directly below one. */
  dirtyBelow(node: Node): readonly Node[]
  build(node: Node): void
  /** Builds nodes that depend on each other in a ring. */
  buildRing(ring: readonly Node[]): void
}

/**
 * Rebuilds a dirty node and all dirty nodes below it, children first and rings together: Tarjan's algorithm for strongly connected
 * components, with a stack of its own, since chains of rows can be longer than the call stack.
 */
export function walkDirty(root: Node, builder: Builder): void {
  const work: Frame[] = []
  const open: Frame[] = []
  let index = 0
  const enter = (node: Node): void => {
    const children = builder.dirtyBelow(node)
    if (children.length === 0) {
      builder.build(node)
      return
    }
    const frame: Frame = { node, index, low: index, next: 0, children }
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
    // Only a throw leaves frames behind; the nodes stay dirty and are tried again at the next read.
    for (const { node } of open) node.dirty = true
  }
}

/** Completes a component: nodes that depend on each other in a ring, usually a single one. */
function close(first: Frame, open: Frame[], builder: Builder): void {
  if (open.at(-1) === first && !first.children.includes(first.node)) {
    // It stays open until it is built: if that throws, the end of the walk finds it.
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
