import { useController, useLoading } from '@roundtable/react'
import { useState } from 'react'
import { type Todo, TodoResource } from './api.js'

/** Give it `key={todo.id}`, so that another todo gets another draft. */
export function TodoForm({ todo }: { todo: Todo }) {
  const controller = useController()
  const [title, setTitle] = useState(todo.title)
  const [save, isSaving] = useLoading(() =>
    controller.fetch(
      TodoResource.partialUpdate,
      { id: todo.id },
      { title },
    ),
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input
        aria-label="Title"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <button disabled={isSaving}>Save</button>
    </form>
  )
}
