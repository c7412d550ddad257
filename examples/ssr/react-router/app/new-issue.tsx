import { useController, useLoading } from '@roundtable/react'
import type { FormEvent, ReactNode } from 'react'
import { createIssue } from './api'

/** The browser sends the request itself. The new issue enters the list. */
export function NewIssue(): ReactNode {
  const controller = useController()
  const [create, isCreating, error] = useLoading((title: string) => controller.fetch(createIssue, { title }))
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void create(String(new FormData(event.currentTarget).get('title')))
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={submit}>
      <input name="title" aria-label="Title" required />
      <button type="submit" disabled={isCreating}>
        Add
      </button>
      {error && <p role="alert">The issue could not be added.</p>}
    </form>
  )
}
