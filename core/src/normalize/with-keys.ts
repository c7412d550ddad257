import type { RowRecord } from '../schema/schema.js'
import type { Plan } from '../table/plan.js'
import { equal } from '../tools/equal.js'
import { put } from '../tools/put.js'

/** A record with its relations (in the order of the plan) as keys; the known record itself if it holds just that. */
export function withKeys(plan: Plan, value: RowRecord, kept: readonly unknown[], known?: RowRecord): RowRecord {
  if (known !== undefined && isSame(plan, value, kept, known)) return known
  const record: Record<string, unknown> = { ...value }
  let i = 0
  for (const { field } of plan.relations) {
    if (Object.hasOwn(record, field)) put(record, field, kept[i])
    i++
  }
  return record
}

function isSame(plan: Plan, value: RowRecord, kept: readonly unknown[], known: RowRecord): boolean {
  for (let i = 0; i < plan.relations.length; i++) {
    const field = plan.relations[i]?.field ?? ''
    if (Object.hasOwn(value, field) !== Object.hasOwn(known, field) || !equal(known[field], kept[i])) return false
  }
  let fields = 0
  for (const field in value) {
    fields++
    if (plan.isRelation.has(field)) continue
    const inner = value[field]
    if (known[field] !== inner && !equal(known[field], inner)) return false
    if (inner === undefined && !Object.hasOwn(known, field)) return false
  }
  for (const _ in known) fields--
  return fields === 0
}
