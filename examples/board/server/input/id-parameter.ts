import type { Context } from 'hono'
import { NotFound } from '../http/errors.js'
import { idDigits } from './field.js'

/**
 * Reads the `:id` of the path.
 *
 * @throws NotFound when it cannot be an id: no row has it.
 */
export function idParameter(c: Context, kind: string): number {
  const raw = c.req.param('id') ?? ''
  const id = idDigits(raw)
  if ('problem' in id) throw new NotFound(kind, raw)
  return id.value
}
