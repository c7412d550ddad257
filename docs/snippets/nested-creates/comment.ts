import { Controller } from '@roundtable/core'
import { addComment, getComments, getPost } from './api.js'

// The server of this example.
const transport = async (_: unknown, { body }: RequestInit) =>
  Response.json({ id: 8, postId: 1, ...JSON.parse(String(body)) })

const controller = new Controller({ transport })
controller.setResponse(
  getPost,
  { id: 1 },
  {
    id: 1,
    title: 'Rain',
    comments: [{ id: 7, postId: 1, text: 'So wet.' }],
  },
)
const ids = () => [
  controller.getResponse(getPost, { id: 1 }).data?.comments.length,
  controller
    .getResponse(getComments, { postId: 1 })
    .data?.map((comment) => comment.text),
]

const saved = controller.fetch(
  addComment,
  { postId: 1 },
  { text: 'Umbrella?' },
)
console.log(...ids()) // → 2 [ 'So wet.', 'Umbrella?' ]
await saved
console.log(...ids()) // → 2 [ 'So wet.', 'Umbrella?' ]
controller.dispose()
