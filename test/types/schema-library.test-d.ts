import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import * as m from 'zod/mini'
import { resource } from '../../core/src/collections/resource.js'
import { RestEndpoint } from '../../core/src/rest/rest-endpoint.js'
import type { Denormalize } from '../../core/src/schema/infer.js'
import {
  entityOf,
  type InputOf,
  input,
  type OutputOf,
  output,
  type StandardSchema,
  sends,
} from '../../core/src/schema.js'

const UserSchema = z.object({ id: z.number(), name: z.string() })
class User extends entityOf(UserSchema, { key: 'User' }) {
  get initial(): string {
    return this.name.slice(0, 1)
  }
}

const TodoSchema = z.object({
  id: z.number(),
  title: z.string(),
  note: z.string().optional(),
  due: z.iso.datetime().nullable(),
  owner: UserSchema,
  watchers: z.array(UserSchema),
})
class Todo extends entityOf(TodoSchema, {
  key: 'Todo',
  convert: { due: (iso) => new Date(iso) },
  relations: { owner: User, watchers: [User] },
}) {}

test('every Standard Schema is one of ours, and ours is one of theirs', () => {
  expectTypeOf<StandardSchemaV1<string, number>>().toExtend<StandardSchema<string, number>>()
  expectTypeOf<StandardSchema<string, number>>().toExtend<StandardSchemaV1<string, number>>()
})

test('the same input and output of each library', () => {
  const ofZod = z.object({ id: z.number(), done: z.boolean().default(false) })
  const ofMini = m.object({ id: m.number(), done: m._default(m.boolean(), false) })
  const ofValibot = v.object({ id: v.number(), done: v.optional(v.boolean(), false) })
  const ofArktype = type({ id: 'number', done: 'boolean = false' })
  expectTypeOf<InputOf<typeof ofZod>>().toEqualTypeOf<{ id: number; done?: boolean | undefined }>()
  expectTypeOf<InputOf<typeof ofMini>>().toEqualTypeOf<{ id: number; done?: boolean | undefined }>()
  expectTypeOf<InputOf<typeof ofValibot>>().toEqualTypeOf<{ id: number; done?: boolean | undefined }>()
  expectTypeOf<InputOf<typeof ofArktype>>().toEqualTypeOf<{ id: number; done?: boolean }>()
  expectTypeOf<OutputOf<typeof ofZod>>().toEqualTypeOf<{ id: number; done: boolean }>()
})

test('a class has the fields of the schema, and what conversions and relations make of them', () => {
  expectTypeOf<Todo['id']>().toEqualTypeOf<number>()
  expectTypeOf<Todo['note']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Todo['due']>().toEqualTypeOf<Date | null>()
  expectTypeOf<Todo['owner']>().toEqualTypeOf<User | undefined>()
  expectTypeOf<Todo['watchers']>().toEqualTypeOf<readonly User[]>()
  expectTypeOf<Denormalize<typeof Todo>>().toEqualTypeOf<Todo>()
  expectTypeOf(new User().initial).toBeString()
  // @ts-expect-error: the schema has no such field
  new Todo().titel
})

test('fields that the schema does not have are refused, and so are conversions of another type', () => {
  // @ts-expect-error: no field 'dew'
  entityOf(TodoSchema, { key: 'A', convert: { dew: (iso: string) => new Date(iso) } })
  // @ts-expect-error: 'due' is text
  entityOf(TodoSchema, { key: 'B', convert: { due: (value: number) => new Date(value) } })
  // @ts-expect-error: no field 'ownr'
  entityOf(TodoSchema, { key: 'C', relations: { ownr: User } })
  // @ts-expect-error: no such validation
  entityOf(TodoSchema, { key: 'D', validation: 'drop' })
  // @ts-expect-error: a row is an object
  entityOf(z.string(), { key: 'E' })
  // @ts-expect-error: no schema
  entityOf({ id: 0 }, { key: 'F' })
})

test('a resource of it takes and gives its fields', () => {
  const TodoResource = resource({ path: '/todos/:id', schema: Todo })
  expectTypeOf<Denormalize<typeof TodoResource.get.schema>>().toEqualTypeOf<Todo>()
  void TodoResource.partialUpdate({ id: 5 }, { title: 'Milk' })
  // @ts-expect-error: a title is text
  void TodoResource.partialUpdate({ id: 5 }, { title: 5 })
})

test('bodies, search params and answers have the types of their schemas', () => {
  const NewTodo = z.object({ title: z.string(), due: z.date().transform((date) => date.toJSON()) })
  const create = new RestEndpoint({ path: '/todos', method: 'POST', body: input(NewTodo), ...sends(NewTodo) })
  void create({ title: 'Milk', due: new Date() })
  // @ts-expect-error: a Date goes in, its text comes out
  void create({ title: 'Milk', due: '2026-03-02' })
  // @ts-expect-error: the title is missing
  void create({ due: new Date() })

  const Search = z.object({ text: z.string(), page: z.number().optional() })
  const search = new RestEndpoint({
    path: '/search',
    searchParams: input(Search),
    ...sends({ searchParams: Search }),
    process: output(z.object({ hits: z.number() })),
  })
  expectTypeOf<Awaited<ReturnType<typeof search>>>().toEqualTypeOf<{ hits: number }>()
  void search({ text: 'milk' })
  // @ts-expect-error: no such param
  void search({ text: 'milk', pge: 2 })
})
