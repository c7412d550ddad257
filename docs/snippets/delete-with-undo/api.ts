import { type Controller, Entity, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
}

export const TodoResource = resource({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number },
  optimistic: true,
})

/** Hides a todo, and deletes it after a while unless `undo` is called. */
export function deleteLater(
  controller: Controller,
  todo: Todo,
  wait: Promise<void> = pause(5_000),
) {
  const abort = new AbortController()
  const { signal } = abort
  const deletion = TodoResource.delete.extend({
    signal,
    parts: [
      {
        name: 'later',
        async request(_, next) {
          await Promise.race([wait, aborted(signal)])
          return next()
        },
      },
    ],
  })
  const sent = controller.fetch(deletion, { id: todo.id })
  // After an undo, there is no error to show.
  const done = sent.catch((error: Error) => {
    if (!signal.aborted) throw error
  })
  return { undo: () => abort.abort(), done }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, ms))
const aborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  )
