import {
  All,
  Collection,
  Controller,
  Entity,
  RestEndpoint,
} from '@roundtable/core'

class Comment extends Entity {
  static override key = 'Comment'
  id = 0
  postId = 0
  parentId: number | null = null
  text = ''
}

export const getComments = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/comments',
  searchParams: {} as { postId: number },
  schema: new Collection([Comment]),
})

/** The replies to a comment, or with `null` the comments at the top of a post. */
export const replies = new All(Comment, {
  belongs: (comment, postId: number, parentId: number | null) =>
    comment.postId === postId && comment.parentId === parentId,
  compare: (a, b) => a.id - b.id,
})

const controller = new Controller()
controller.setResponse(getComments, { postId: 1 }, [
  { id: 1, postId: 1, parentId: null, text: 'So wet.' },
  { id: 2, postId: 1, parentId: 1, text: 'Umbrella?' },
])
const texts = (parentId: number | null) =>
  controller.get(replies, 1, parentId)?.map((comment) => comment.text)
console.log(texts(null), texts(1)) // → [ 'So wet.' ] [ 'Umbrella?' ]
controller.dispose()
