import { useController, useLoading } from '@roundtable/react'
import type { FormEvent } from 'react'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function AddTodo({ userId }: { userId: number }) {
  const controller = useController()
  const [add, adding, error] = useLoading((title: string) =>
    controller.fetch(TodoResource.create, {
      userId,
      title,
      completed: false,
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void add(String(new FormData(form).get('title')))
    form.reset()
  }
  return (
    <form onSubmit={submit}>
      <input name="title" aria-label="Title" required />
      <button disabled={adding}>Add</button>
      {error && <p role="alert">{errorText(error)}</p>}
    </form>
  )
}
