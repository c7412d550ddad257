'use client'
import { useController, useLoading } from '@roundtable/react'
import type { ReactNode } from 'react'
import { rename } from './actions'
import { getIssue } from './api'

/** A server action sends the request. Its result is stored like any response. */
export function RenameIssue({ id }: { id: number }): ReactNode {
  const controller = useController()
  const [save, isSaving, error] = useLoading(async (form: FormData) => {
    const issue = await rename(id, String(form.get('title')))
    if (issue) controller.setResponse(getIssue, { id }, issue)
  })
  return (
    <form action={save}>
      <input name="title" aria-label="New title" required />
      <button type="submit" disabled={isSaving}>
        Rename
      </button>
      {error && <p role="alert">The issue could not be renamed.</p>}
    </form>
  )
}
