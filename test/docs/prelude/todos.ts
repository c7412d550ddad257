// What short examples talk about without making it: the things that their reader has.
import { Collection, Controller, Endpoint, Entity, normalize, RestEndpoint, resource } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { HandClock } from '@roundtable/core/testing'
import { createContext } from 'react'
import * as z from 'zod'

export { useContext, useMemo } from 'react'
export { z }

export const TokenContext = createContext('')

export class User extends Entity {
  static override key = 'User'
  type = 'user'
  id = 0
  name = ''
}

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  done = false
}

export class Card extends Entity {
  static override key = 'Card'
  id = ''
  type = ''
}

/** Other things of which examples name several. */
export class Tag extends Card {
  static override key = 'Tag'
}
export class Group extends Card {
  static override key = 'Group'
}
export class Rate extends Card {
  static override key = 'Rate'
}
export class Post extends Card {
  static override key = 'Post'
}
export class Photo extends Card {
  static override key = 'Photo'
}

export const controller: Controller = new Controller()
export const clock: HandClock = new HandClock()
export const id = 5

const urlPrefix = 'https://api.test'

export const getUser = new RestEndpoint({ urlPrefix, path: '/users/:id', schema: User })
export const getCurrentUser = new RestEndpoint({ urlPrefix, path: '/me', schema: User })
export const getTodo = new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: Todo })
export const updateTodo = getTodo.extend({ method: 'PATCH', body: {} as { title?: string; done?: boolean } })
export const deleteTodo = getTodo.extend({ method: 'DELETE', schema: undefined })
export const todos = new Collection([Todo])
export const getTodos = new RestEndpoint({
  urlPrefix,
  path: '/todos',
  searchParams: {} as { userId?: number } | undefined,
  paginationField: 'page',
  schema: todos,
})
export const createTodo = getTodos.push
export const getLiveTodos = getTodos.extend(
  live({ name: 'todos', url: '/events', wire: sse(), messages: { changed: Todo } }),
)
export const search = new RestEndpoint({
  urlPrefix,
  path: '/search',
  searchParams: {} as { query: string },
  schema: [Todo],
})
export const getTicker = new Endpoint(async ({ product }: { product: string }) => ({ product, price: 1 }), {
  name: 'getTicker',
  pollFrequency: 5_000,
})
export const getTime = new Endpoint(async () => new Date().toISOString(), { name: 'getTime' })
export const TodoResource = resource({ urlPrefix, path: '/todos/:id', schema: Todo })

export const board: { readonly cards: string[] } = { cards: ['1'] }
export const { entities } = normalize([Todo], [{ id: 5, title: 'Sharpen the pencil' }])

export function showProblems(_problems: unknown): void {}
