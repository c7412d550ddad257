import { useController, useLoading } from '@roundtable/react'
import { type FormEvent, useState } from 'react'
import { TodoResource } from './api.js'

export function AddTodo({ userId }: { userId: number }) {
  const controller = useController()
  const [title, setTitle] = useState('')
  const [add, adding] = useLoading(async () => {
    const todo = { userId, title, completed: false }
    setTitle('')
    try {
      await controller.fetch(TodoResource.create, todo)
    } catch (error) {
      setTitle((typed) => typed || title)
      throw error
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add()
  }
  return (
    <form onSubmit={submit}>
      <input
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        aria-label="Title"
        required
      />
      <button disabled={adding}>Add</button>
    </form>
  )
}
