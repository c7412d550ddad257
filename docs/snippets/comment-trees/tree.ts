import { Controller } from '@roundtable/core'
import { addComment, getComments } from './api.js'

// The server of this example.
const transport = async (_: unknown, { body }: RequestInit) =>
  Response.json({ id: 3, ...JSON.parse(String(body)) })

const controller = new Controller({ transport })
controller.setResponse(getComments, { postId: 1 }, [
  { id: 1, postId: 1, parentId: null, text: 'So wet.', replies: [] },
])
const show = () => {
  const { data } = controller.getResponse(getComments, { postId: 1 })
  for (const { text, replies } of data ?? [])
    console.log(
      text,
      replies.map((reply) => reply.text),
    )
}

show() // → So wet. []
await controller.fetch(addComment, {
  postId: 1,
  parentId: 1,
  text: 'Umbrella?',
})
show() // → So wet. [ 'Umbrella?' ]
controller.dispose()
