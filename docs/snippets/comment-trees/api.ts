import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Comment extends Entity {
  static override key = 'Comment'
  id = 0
  postId = 0
  parentId: number | null = null
  text = ''
  replies: readonly Comment[] = []
}

// The replies to a comment are the list of its id.
Comment.schema = {
  replies: new Collection([Comment], {
    nestKey: (comment: { id: number }) => ({ parentId: comment.id }),
  }),
}

const urlPrefix = 'https://api.example.com'
const path = '/comments'

export const getComments = new RestEndpoint({
  urlPrefix,
  path,
  searchParams: {} as { postId: number },
  // A reply has a `postId` too: only comments without a parent are at the top.
  schema: new Collection([Comment], {
    belongs: ({ parentId, postId }, list) =>
      parentId === null && String(postId) === list.postId,
  }),
})

export const addComment = new RestEndpoint({
  urlPrefix,
  path,
  method: 'POST',
  body: {} as { postId: number; parentId: number | null; text: string },
  schema: getComments.push.schema,
  // A new comment has no replies yet, even if the server omits the field.
  process: (comment: object) => ({ replies: [], ...comment }),
  getOptimisticResponse: (_, comment) => ({ replies: [], ...comment }),
})
