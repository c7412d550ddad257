import {
  type ArgsCode,
  byArgs,
  Collection,
  type DenormalizeContext,
  Endpoint,
  Entity,
  Invalidate,
  type Schema,
  type SchemaContract,
} from '@roundtable/core'

/** One of two entities, by a text such as `B:3`: a schema as a user could write it. */
export class AnyOf implements SchemaContract {
  readonly #kinds: () => Readonly<Record<string, Schema>>

  readonly usesArgs: ArgsCode | undefined

  constructor(kinds: () => Readonly<Record<string, Schema>>, usesArgs?: ArgsCode) {
    this.#kinds = kinds
    this.usesArgs = usesArgs
  }

  normalize(input: unknown): unknown {
    return input
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    const [schema, pk] = this.#parts(value)
    return context.visit(schema, pk)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    const [schema, pk] = this.#parts(value)
    each(schema, pk)
  }

  #parts(value: unknown): readonly [Schema, string] {
    const [kind = '', pk = ''] = String(value).split(':')
    return [this.#kinds()[kind], pk]
  }
}

export class A extends Entity {
  static override key = 'A'
  static override schema: { readonly [field: string]: Schema } = {}
  id = ''
  n = 0
  a: A | undefined = undefined
  b: B | undefined = undefined
  any: A | B | undefined = undefined
  many: (A | null)[] = []
  pair: { left?: A; right?: B } | undefined = undefined
}

/** Without its owner it is not there: an empty one already has something in that place. */
export class B extends Entity {
  static override key = 'B'
  static override schema: { readonly [field: string]: Schema } = {}
  id = ''
  n = 0
  owner: A | true | null = true
  back: B[] = []
}

A.schema = { a: A, b: B, any: new AnyOf(() => ({ A, B })), many: [A], pair: { left: A, right: B } }
B.schema = { owner: A, back: [B] }

export const classes = { A, B }

/** Shows a number with the call's arguments. */
const tagged: SchemaContract = {
  usesArgs: byArgs,
  normalize: (input) => input,
  denormalize: (value, { args }) => `${value}${(args[0] as { tag?: string } | undefined)?.tag}`,
}

/** The same rows as classes show them that depend on the call's arguments, themselves and all the way down. */
export class TaggedA extends A {
  static override schema: { readonly [field: string]: Schema } = {}
}
export class TaggedB extends B {
  static override schema: { readonly [field: string]: Schema } = {}
}
export const taggedClasses = { A: TaggedA, B: TaggedB }

TaggedA.schema = {
  a: TaggedA,
  b: TaggedB,
  any: new AnyOf(() => taggedClasses, byArgs),
  many: [TaggedA],
  pair: { left: TaggedA, right: TaggedB },
  n: tagged,
}
TaggedB.schema = { owner: TaggedA, back: [TaggedB], n: tagged }
export const TaggedList = new Collection([TaggedA])

const nothing = async (_: object): Promise<unknown> => null

export const List = new Collection([A])
export const getList = new Endpoint(nothing, { name: 'getList', schema: List })
export const getPlain = new Endpoint(nothing, { name: 'getPlain', schema: [A] })
export const removers = {
  A: new Endpoint(nothing, { name: 'removeA', schema: new Invalidate(A), sideEffect: true }),
  B: new Endpoint(nothing, { name: 'removeB', schema: new Invalidate(B), sideEffect: true }),
}
