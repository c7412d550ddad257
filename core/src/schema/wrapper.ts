import type { DenormalizeContext, LookupContext, NormalizeContext, Schema, SchemaContract } from './schema.js'

/** The base of schemas around one other schema: they store, show and find what that does, but for the methods that they override. */
export abstract class Wrapper implements SchemaContract {
  /** The schema inside. */
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

  /** Returns the same schema around another one. */
  abstract map(f: (part: Schema) => Schema): SchemaContract
}
