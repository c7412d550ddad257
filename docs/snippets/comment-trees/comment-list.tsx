import { useController, useDLE, useLoading } from '@roundtable/react'
import { addComment, type Comment, getComments } from './api.js'

export function CommentList({ postId }: { postId: number }) {
  const { data: comments = [] } = useDLE(getComments, { postId })
  return <Comments list={comments} />
}

function Comments({ list }: { list: readonly Comment[] }) {
  return (
    <ul>
      {list.map((comment) => (
        <Thread key={comment.id} comment={comment} />
      ))}
    </ul>
  )
}

function Thread({ comment }: { comment: Comment }) {
  const { id, postId, text, replies } = comment
  const controller = useController()
  const [reply] = useLoading((text: string) =>
    controller.fetch(addComment, { postId, parentId: id, text }),
  )
  return (
    <li>
      {text} <button onClick={() => reply('I agree.')}>Agree</button>
      <Comments list={replies} />
    </li>
  )
}
