import {
  Collection,
  Controller,
  pagesOf,
  RestEndpoint,
} from '@roundtable/core'
import { Todo } from './api.js'

export const getFeed = new RestEndpoint({
  path: '/feed',
  searchParams: {} as { topic?: string } | undefined,
  schema: { items: new Collection([Todo]), next: '' },
  paginationField: 'cursor',
  nextPage: ({ response }) =>
    response.next ? { cursor: response.next } : undefined,
})

const controller = new Controller()
controller.setResponse(
  getFeed,
  {},
  { items: [{ id: 1, title: 'Write' }], next: 'abc' },
)
controller.setResponse(
  getFeed.getPage,
  { cursor: 'abc' },
  { items: [{ id: 2, title: 'Sleep' }], next: '' },
)

const { data, hasNext } = pagesOf(controller, getFeed, {}).getSnapshot()
console.log(
  data?.items?.map((todo) => todo.title),
  hasNext,
) // → [ 'Write', 'Sleep' ] false
controller.dispose()
