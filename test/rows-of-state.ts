import type { Dehydrated } from '@roundtable/core/hydration'

/** A row as a state carries it; without names of fields it was deleted. */
export interface StateRow {
  readonly kind: string
  readonly response: number
  readonly fields: readonly string[] | null
  readonly pk: string
  readonly values: readonly unknown[]
}

/** The rows of a state, which carries those of one tuple as one list of keys and values. */
export function rowsOfState({ shapes, rows }: Pick<Dehydrated, 'shapes' | 'rows'>): readonly StateRow[] {
  return rows.flatMap(([kind, response, shape, all]) => {
    const fields = shape === null ? null : (shapes[shape] ?? [])
    const width = 1 + (fields?.length ?? 0)
    return Array.from({ length: all.length / width }, (_, i) => {
      const [pk, ...values] = all.slice(i * width, (i + 1) * width)
      return { kind, response, fields, pk: `${pk}`, values }
    })
  })
}
