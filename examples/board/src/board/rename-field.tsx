import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Task } from '../api/task.js'
import { useActs } from './acts.js'

/** The title of a card as a field. Enter or leaving it renames the task, Escape leaves all as it is. */
export function RenameField({ task }: { readonly task: Task }): ReactNode {
  const acts = useActs()
  const field = useRef<HTMLTextAreaElement>(null)
  const [title, setTitle] = useState(task.title)
  useEffect(() => field.current?.select(), [])

  function save(): void {
    const text = title.trim().replaceAll(/\s+/g, ' ')
    acts.edit(undefined)
    if (text !== '' && text !== task.title) acts.rename(task, text)
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key === 'Escape') acts.edit(undefined)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    save()
  }

  return (
    <textarea
      ref={field}
      className="rename"
      aria-label="Title"
      maxLength={200}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  )
}
