import { RestEndpoint } from '@roundtable/core'
import { input, output, sends } from '@roundtable/core/schema'
import * as z from 'zod'

const urlPrefix = 'https://api.example.com'

const NewTodo = z.object({
  title: z.string().min(1),
  due: z.date().transform((date) => date.toJSON()),
})
export const createTodo = new RestEndpoint({
  urlPrefix,
  path: '/todos',
  method: 'POST',
  body: input(NewTodo), // { title: string; due: Date }
  ...sends(NewTodo),
})

const Search = z.object({
  text: z.string(),
  page: z.number().min(1).default(1),
})
export const search = new RestEndpoint({
  urlPrefix,
  path: '/search',
  searchParams: input(Search), // { text: string; page?: number }
  ...sends({ searchParams: Search }),
  process: output(z.object({ hits: z.number() })), // { hits: number }
})
