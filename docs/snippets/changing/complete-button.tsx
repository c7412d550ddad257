import { useController, useLoading } from '@roundtable/react'
import { type Todo, TodoResource } from './api.js'

export function CompleteButton({ todo }: { todo: Todo }) {
  const controller = useController()
  const [complete, isRunning, error] = useLoading(() =>
    controller.fetch(
      TodoResource.partialUpdate,
      { id: todo.id },
      { completed: true },
    ),
  )
  return (
    <>
      <button disabled={isRunning} onClick={complete}>
        Complete
      </button>
      {error && <p role="alert">It could not be saved.</p>}
    </>
  )
}
