import type { StandardSchema } from '@roundtable/core/schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import * as m from 'zod/mini'

/** The rows of these tests. */
export interface UserData {
  id: number
  name: string
}

export interface TodoData {
  id: number
  title: string
  due: string
  note?: string | undefined
  owner: UserData
}

/** One library's schemas of the same rows. */
export interface Library {
  readonly name: string
  readonly User: StandardSchema<UserData, UserData>
  readonly Todo: StandardSchema<TodoData, TodoData>
  /** Makes a Date of `due`, which rows do not keep. */
  readonly Rewriting: StandardSchema<{ id: number; due: string }>
  /** Adds `done`. */
  readonly Defaulting: StandardSchema<{ id: number; done?: boolean | undefined }>
  /** A title that only a promise knows to be free; undefined where the library has no asynchronous checks. */
  readonly Asynchronous: StandardSchema<{ id: number; title: string }> | undefined
  /** Throws for a title 'bang'. */
  readonly Throwing: StandardSchema<{ id: number; title: string }>
  /** A page of at least 1, sent as text. */
  readonly Search: StandardSchema<{ userId: number; page?: number | undefined }>
  readonly Health: StandardSchema<{ status: 'up' | 'down' }, { status: 'up' | 'down' }>
}

function explode(title: string): boolean {
  if (title === 'bang') throw new Error('exploded')
  return true
}

const zUser = z.object({ id: z.number(), name: z.string() })
const zod: Library = {
  name: 'zod',
  User: zUser,
  Todo: z.object({
    id: z.number(),
    title: z.string().min(1),
    due: z.iso.datetime(),
    note: z.optional(z.string()),
    owner: zUser,
  }),
  Rewriting: z.object({ id: z.number(), due: z.string().transform((iso) => new Date(iso)) }),
  Defaulting: z.object({ id: z.number(), done: z.boolean().default(false) }),
  Asynchronous: z.object({ id: z.number(), title: z.string().refine(async () => true) }),
  Throwing: z.object({ id: z.number(), title: z.string().refine(explode) }),
  Search: z.object({ userId: z.number(), page: z.optional(z.number().min(1)) }),
  Health: z.object({ status: z.enum(['up', 'down']) }),
}

const mUser = m.object({ id: m.number(), name: m.string() })
const zodMini: Library = {
  name: 'zod/mini',
  User: mUser,
  Todo: m.object({
    id: m.number(),
    title: m.string().check(m.minLength(1)),
    due: m.iso.datetime(),
    note: m.optional(m.string()),
    owner: mUser,
  }),
  Rewriting: m.object({
    id: m.number(),
    due: m.pipe(
      m.string(),
      m.transform((iso) => new Date(iso)),
    ),
  }),
  Defaulting: m.object({ id: m.number(), done: m._default(m.boolean(), false) }),
  Asynchronous: m.object({ id: m.number(), title: m.string().check(m.refine(async () => true)) }),
  Throwing: m.object({ id: m.number(), title: m.string().check(m.refine(explode)) }),
  Search: m.object({ userId: m.number(), page: m.optional(m.number().check(m.minimum(1))) }),
  Health: m.object({ status: m.enum(['up', 'down']) }),
}

const vUser = v.object({ id: v.number(), name: v.string() })
const valibot: Library = {
  name: 'valibot',
  User: vUser,
  Todo: v.object({
    id: v.number(),
    title: v.pipe(v.string(), v.minLength(1)),
    due: v.pipe(v.string(), v.isoTimestamp()),
    note: v.optional(v.string()),
    owner: vUser,
  }),
  Rewriting: v.object({
    id: v.number(),
    due: v.pipe(
      v.string(),
      v.transform((iso) => new Date(iso)),
    ),
  }),
  Defaulting: v.object({ id: v.number(), done: v.optional(v.boolean(), false) }),
  Asynchronous: v.objectAsync({
    id: v.number(),
    title: v.pipeAsync(
      v.string(),
      v.checkAsync(async () => true),
    ),
  }),
  Throwing: v.object({ id: v.number(), title: v.pipe(v.string(), v.check(explode)) }),
  Search: v.object({ userId: v.number(), page: v.optional(v.pipe(v.number(), v.minValue(1))) }),
  Health: v.object({ status: v.picklist(['up', 'down']) }),
}

const aUser = type({ id: 'number', name: 'string' })
const arktype: Library = {
  name: 'arktype',
  User: aUser,
  Todo: type({ id: 'number', title: 'string > 0', due: 'string.date.iso', 'note?': 'string', owner: aUser }),
  Rewriting: type({ id: 'number', due: 'string.date.iso.parse' }),
  Defaulting: type({ id: 'number', done: 'boolean = false' }),
  Asynchronous: undefined,
  Throwing: type({ id: 'number', title: type('string').narrow(explode) }),
  Search: type({ userId: 'number', 'page?': 'number >= 1' }),
  Health: type({ status: "'up' | 'down'" }),
}

export const libraries: readonly Library[] = [zod, zodMini, valibot, arktype]
