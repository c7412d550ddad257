import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDependent,
  type Builder,
  eachDependent,
  markDependentsDirty,
  Node,
  walkDirty,
} from '../../../core/src/table/graph.js'

/** A node that depends on others by a list of them. */
class Named extends Node {
  readonly name: string
  below: readonly Named[] = []

  constructor(name: string) {
    super()
    this.name = name
  }
}

/** Builds nodes by noting their names: a ring in brackets. */
function recorder(fails?: Named): Builder & { readonly built: string[] } {
  const built: string[] = []
  const finish = (node: Named): void => {
    if (node === fails) throw new Error('no')
    for (const child of node.below) addDependent(child, node)
    node.dirty = false
  }
  return {
    built,
    dirtyBelow: (node) => (node as Named).below.filter(({ dirty }) => dirty !== false),
    build(node) {
      finish(node as Named)
      built.push((node as Named).name)
    },
    buildRing(ring) {
      for (const node of ring) finish(node as Named)
      built.push(
        `(${ring
          .map((node) => (node as Named).name)
          .sort()
          .join('')})`,
      )
    },
  }
}

function nodes(edges: Readonly<Record<string, string>>): Record<string, Named> {
  const made = Object.fromEntries(Object.keys(edges).map((name) => [name, new Named(name)]))
  for (const [name, below] of Object.entries(edges))
    (made[name] as Named).below = [...below].map((b) => made[b] as Named)
  return made
}

describe('walkDirty', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['children first', { a: 'bc', b: 'd', c: 'd', d: '' }, ['d', 'b', 'c', 'a']],
    ['a ring together', { a: 'b', b: 'cd', c: 'b', d: '' }, ['d', '(bc)', 'a']],
    ['a node that depends on itself as a ring', { a: 'a' }, ['(a)']],
    ['rings that share a node as one', { a: 'b', b: 'ac', c: 'b' }, ['(abc)']],
  ])('builds %s', (_, edges, order) => {
    const builder = recorder()
    walkDirty(nodes(edges).a as Named, builder)
    expect(builder.built).toEqual(order)
  })

  test('builds a chain that is longer than the call stack', () => {
    let root = new Named('0')
    for (let i = 1; i < 100_000; i++) {
      const next = new Named(`${i}`)
      next.below = [root]
      root = next
    }
    const builder = recorder()
    walkDirty(root, builder)
    expect(builder.built).toHaveLength(100_000)
  })

  test('leaves what was not built dirty if a build throws, and builds it at the next read', () => {
    const made = nodes({ a: 'b', b: 'c', c: '' })
    expect(() => walkDirty(made.a as Named, recorder(made.b))).toThrow('no')
    expect([made.a?.dirty, made.b?.dirty, made.c?.dirty]).toEqual([true, true, false])
    const builder = recorder()
    walkDirty(made.a as Named, builder)
    expect(builder.built).toEqual(['b', 'a'])
  })

  test('builds each node of any graph once, and after it nothing is dirty', () => {
    const graph = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(graph, (edges) => {
        const made = edges.map((_, i) => new Named(String.fromCharCode(97 + i)))
        edges.forEach((below, i) => {
          const node = made[i] as Named
          node.below = below.map((b) => made[b] as Named)
        })
        const builder = recorder()
        walkDirty(made[0] as Named, builder)
        const seen = new Set([made[0] as Named])
        for (const node of seen) for (const child of node.below) seen.add(child)
        const names = builder.built.join('').replace(/[()]/g, '')
        expect([...names].sort()).toEqual([...seen].map(({ name }) => name).sort())
        for (const node of seen) expect(node.dirty).toBe(false)
      }),
    )
  })
})

describe('markDependentsDirty', () => {
  test('reaches everything above a node and nothing else, and removes the edges', () => {
    const made = nodes({ a: 'bc', b: 'd', c: 'd', d: '', e: 'd', f: '' })
    for (const root of [made.a, made.e, made.f]) walkDirty(root as Named, recorder())
    markDependentsDirty(made.b as Named)
    expect(Object.values(made).map(({ dirty }) => dirty)).toEqual([true, true, false, false, false, false])
    markDependentsDirty(made.d as Named)
    expect(Object.values(made).map(({ dirty }) => dirty)).toEqual([true, true, true, true, true, false])
    expect(made.d?.dependents).toBeUndefined()
  })

  test('marks each of many dependents once', () => {
    const root = new Named('root')
    const above = Array.from({ length: 20 }, (_, i) => new Named(`${i}`))
    for (const node of above) node.dirty = false
    for (const node of [...above, ...above]) addDependent(root, node)
    const noted: Node[] = []
    eachDependent(root, (node) => noted.push(node))
    expect(noted).toEqual(above)
    markDependentsDirty(root)
    expect(above.every(({ dirty }) => dirty)).toBe(true)
  })
})
