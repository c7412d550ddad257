import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Comment extends Entity {
  static override key = 'Comment'
  id = 0
  postId = 0
  text = ''
}

const comments = new Collection([Comment], {
  nestKey: (post: { id: number }) => ({ postId: post.id }),
})

export class Post extends Entity {
  static override key = 'Post'
  static override schema = { comments }
  id = 0
  title = ''
  comments: Comment[] = []
}

const urlPrefix = 'https://api.example.com'
export const getPost = new RestEndpoint({
  urlPrefix,
  path: '/posts/:id',
  schema: Post,
})
export const getComments = new RestEndpoint({
  urlPrefix,
  path: '/posts/:postId/comments',
  schema: comments,
})

export const addComment = getComments.push.extend({
  body: {} as { text: string },
  getOptimisticResponse: (_, { postId }, { text }) => ({ postId, text }),
})
