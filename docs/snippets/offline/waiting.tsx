import { useOutbox, usePending } from '@roundtable/react/offline'
import { Todo } from './api.js'
import { store } from './controller.js'

export function Waiting() {
  return useOutbox().map(({ id, name, status, error }) => (
    <p key={id}>
      {name}: {status} {error?.status}
      <button onClick={() => store.discard(id)}>Discard</button>
      {status === 'refused' && (
        <button onClick={() => store.retry(id)}>Send again</button>
      )}
    </p>
  ))
}

export function Mark({ id }: { id: number }) {
  return <small>{usePending(Todo, { id })}</small>
}
