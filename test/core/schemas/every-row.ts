import {
  type DenormalizeContext,
  type EntityInterface,
  INVALID,
  type LookupContext,
  type SchemaContract,
} from '@roundtable/core'

/** Every row of some entities that is visible, one by one, without anything of `All`: what selections are compared with. */
export class EveryRow implements SchemaContract {
  readonly entities: readonly EntityInterface[]

  constructor(entities: readonly EntityInterface[]) {
    this.entities = entities
  }

  normalize(): unknown {
    return '*'
  }

  denormalize(_value: unknown, context: DenormalizeContext): unknown {
    const shown: unknown[] = []
    for (const entity of this.entities) {
      for (const pk of context.all(entity.key)) {
        const view = context.visit(entity, pk)
        if (view !== undefined && view !== INVALID) shown.push(view)
      }
    }
    return shown
  }

  queryKey(_args: readonly unknown[], context: LookupContext): unknown {
    return this.entities.some(({ key }) => context.hasKind(key)) ? '*' : undefined
  }
}
