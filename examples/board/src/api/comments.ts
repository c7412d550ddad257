import { Entity, resource } from '@roundtable/core'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'
import { Person } from './person.js'

/** A comment on a task. */
export class Comment extends Entity {
  static override key = 'Comment'
  static override schema = { author: Person }
  id = 0
  taskId = 0
  authorId = 0
  author: Person | undefined = undefined
  body = ''
  createdAt = ''

  // The server sends the key alone; as a relation it becomes the person.
  static override process(input: unknown): unknown {
    return hasAuthor(input) ? { ...input, author: input.authorId } : input
  }
}

/** The fields of a new comment. */
export type NewComment = Pick<Comment, 'taskId' | 'authorId' | 'body'>

const comments = resource({
  path: '/api/comments/:id',
  schema: Comment,
  searchParams: {} as { taskId: number },
  optimistic: true,
  errorPolicy: isPassing,
  Endpoint: BoardEndpoint,
})

/** The comments of a task, oldest first. */
export const getComments = comments.getList

/** Adds a comment at the end. */
export const addComment = getComments.push.extend({
  searchParams: undefined,
  body: {} as NewComment,
  getOptimisticResponse: ({ fetchedAt }, body) => ({
    ...body,
    createdAt: new Date(fetchedAt).toISOString(),
  }),
})

/** Deletes a comment. */
export const deleteComment = comments.delete

function hasAuthor(input: unknown): input is { authorId: number } {
  return typeof input === 'object' && input !== null && 'authorId' in input
}
