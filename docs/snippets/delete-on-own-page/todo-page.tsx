import { useController, useDLE, useLoading } from '@roundtable/react'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function TodoPage({ id, leave }: { id: number; leave: () => void }) {
  const { data: todo, error } = useDLE(TodoResource.get, { id })
  const controller = useController()
  const [remove, isRemoving, refusal] = useLoading(async () => {
    await controller.fetch(TodoResource.delete, { id })
    leave()
  })
  const failure = error ?? refusal
  return (
    <article>
      <h1>{todo?.title}</h1>
      <button disabled={isRemoving} onClick={remove}>
        Delete
      </button>
      {failure && <p role="alert">{errorText(failure)}</p>}
    </article>
  )
}
