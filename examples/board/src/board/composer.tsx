import { useCache } from '@roundtable/react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { getProjects } from '../api/project.js'
import type { Status } from '../api/task.js'
import { $projectId } from '../app/selection.js'
import { useActs } from './acts.js'
import { useAtom } from './use-atom.js'

/** The field for a new task, at the head of a column. It stays open for the next one. */
export function Composer({ status }: { readonly status: Status }): ReactNode {
  const acts = useActs()
  const projects = useCache(getProjects) ?? []
  const shown = useAtom($projectId)
  const [picked, setPicked] = useState<number>()
  const [title, setTitle] = useState('')
  const text = title.trim().replaceAll(/\s+/g, ' ')
  const projectId = shown ?? picked ?? projects[0]?.id

  function add(): void {
    if (text === '' || projectId === undefined) return
    acts.create(text, status, projectId)
    setTitle('')
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key === 'Escape') acts.compose(undefined)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }

  return (
    <div className="composer">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the field appears on the user's request.
        autoFocus
        aria-label="Title of the new task"
        placeholder="What is to be done?"
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {shown === undefined && (
        <select
          className="field"
          aria-label="Project"
          value={projectId}
          onChange={({ target }) => setPicked(Number(target.value))}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <div className="composer-row">
        <button
          type="button"
          className="button is-primary"
          disabled={text === '' || projectId === undefined}
          onClick={add}
        >
          Add task
        </button>
        <button type="button" className="button is-quiet" onClick={() => acts.compose(undefined)}>
          Close
        </button>
      </div>
    </div>
  )
}
