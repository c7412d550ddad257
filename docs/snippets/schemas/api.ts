import { resource } from '@roundtable/core'
import { entityOf } from '@roundtable/core/schema'
import * as z from 'zod'

const UserSchema = z.object({ id: z.number(), name: z.string() })
export class User extends entityOf(UserSchema, { key: 'User' }) {}

const TodoSchema = z.object({
  id: z.number(),
  title: z.string().min(1),
  due: z.iso.datetime(),
  owner: UserSchema,
})
export class Todo extends entityOf(TodoSchema, {
  key: 'Todo',
  convert: { due: (iso) => new Date(iso) },
  relations: { owner: User },
}) {
  isLate(now = new Date()) {
    return this.due < now
  }
}

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  name: 'Todo',
  schema: Todo,
  searchParams: {} as { userId?: number },
})
