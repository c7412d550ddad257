import type { DenormalizeContext, LookupContext, NormalizeContext, Schema, SchemaContract } from './schema.js'

/** The base of schemas that wrap another one: by default, they store, show and find the same as that schema. */
export abstract class Wrapper implements SchemaContract {
  /** The wrapped schema. */
  abstract get '~schema'(): Schema

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    return context.visit(this['~schema'], input, parent, field)
  }

  denormalize(stored: unknown, context: DenormalizeContext): unknown {
    return context.visit(this['~schema'], stored)
  }

  queryKey(args: readonly unknown[], context: LookupContext): unknown {
    return context.lookup(this['~schema'], args)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    each(this['~schema'], value)
  }

  parts(): readonly Schema[] {
    return [this['~schema']]
  }

  /** Returns the same schema with another wrapped schema. */
  abstract map(f: (part: Schema) => Schema): SchemaContract
}
