import type { Dehydrated } from '@roundtable/core/hydration'

/** A row as a state carries it; without names of fields it was deleted. */
export interface StateRow {
  readonly kind: string
  readonly response: number
  readonly fields: readonly string[] | null
  readonly pk: string
  readonly values: readonly unknown[]
}

/** The rows of a state. */
export function rowsOfState({ shapes, rows }: Pick<Dehydrated, 'shapes' | 'rows'>): readonly StateRow[] {
  return rows.flatMap(([kind, response, shape, pks, records]) => {
    const fields = shape === null ? null : (shapes[shape] ?? [])
    return pks.map((pk, i) => ({ kind, response, fields, pk, values: records[i] ?? [] }))
  })
}
