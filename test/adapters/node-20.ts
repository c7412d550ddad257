/** Features that JavaScript got since the oldest supported Node: a newer engine must not hide that we use them. */
const younger: readonly (readonly [object, readonly string[]])[] = [
  [
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'],
  ],
  [
    Set.prototype,
    ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ],
  [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
  [Promise, ['withResolvers', 'try']],
  [Array, ['fromAsync']],
  [Object, ['groupBy']],
  [Map, ['groupBy']],
  [globalThis, ['Iterator']],
]

/** Does something as on Node 20, whatever Node it is. */
export async function asOnNode20<Result>(work: () => Promise<Result>): Promise<Result> {
  const taken = younger.flatMap(([owner, names]) =>
    names.map((name) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)] as const),
  )
  for (const [owner, name] of taken) Reflect.deleteProperty(owner, name)
  try {
    return await work()
  } finally {
    for (const [owner, name, descriptor] of taken) if (descriptor) Object.defineProperty(owner, name, descriptor)
  }
}
