import type { Cursor, Sort, SortField } from '../db/task-list.js'
import { day, type Field, id, instant, nullable, number, text } from './field.js'

/** Writes the place after a row as a text without a meaning to the client. */
export function writeCursor(sort: Sort, row: { id: number } & Record<SortField, unknown>): string {
  return Buffer.from(JSON.stringify([nameOf(sort), row[sort.field], row.id])).toString('base64url')
}

/** Reads the text again; undefined when it was not made for this sort. */
export function readCursor(sort: Sort, cursor: string): Cursor | undefined {
  const parts = parse(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(parts) || parts[0] !== nameOf(sort)) return undefined
  const value = VALUES[sort.field](parts[1])
  const last = id(parts[2])
  if ('problem' in value || 'problem' in last) return undefined
  return { value: value.value, id: last.value }
}

const VALUES: Record<SortField, Field<string | number | null>> = {
  position: number,
  id,
  title: text(1, 200),
  dueDate: nullable(day),
  createdAt: instant,
  updatedAt: instant,
}

function nameOf({ field, descending }: Sort): string {
  return `${descending ? '-' : ''}${field}`
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
