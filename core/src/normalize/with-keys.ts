import type { RowRecord } from '../schema/schema.js'
import type { Plan } from '../table/plan.js'
import { equal } from '../tools/equal.js'
import { put } from '../tools/put.js'

/** A copy of a value in which the first `count` relations of the plan are the keys that the table knows. */
export function withKnown(
  plan: Plan,
  value: RowRecord,
  known: RowRecord | undefined,
  count: number,
): Record<string, unknown> {
  const record = plan.copy(value)
  for (const { field } of plan.relations.slice(0, count)) {
    if (Object.hasOwn(record, field)) put(record, field, known?.[field])
  }
  return record
}

/** The known record, if a value whose relations are as known says nothing else either; else the value as the table keeps it. */
export function knownOr(plan: Plan, value: RowRecord, known: RowRecord | undefined): RowRecord {
  if (known !== undefined && holdsJust(known, value, plan)) return known
  return withKnown(plan, value, known, plan.relations.length)
}

/** True if a known record has just the fields of a value, and equal ones where they are no relations. */
function holdsJust(known: RowRecord, value: RowRecord, { isRelation }: Plan): boolean {
  let fields = 0
  for (const field in value) {
    fields++
    const inner = value[field]
    const held = known[field]
    // Relations are other here: what was nested is a key there.
    if (held !== inner && !isRelation.has(field) && !equal(held, inner)) return false
    if (inner === undefined && !Object.hasOwn(known, field)) return false
  }
  for (const _ in known) fields--
  return fields === 0
}
