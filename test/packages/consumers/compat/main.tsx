import {
  AsyncBoundary,
  CacheProvider,
  getDefaultManagers,
  type Manager,
  useController,
  useSuspense,
} from '@data-client/react'
import { createResource, Entity } from '@data-client/rest'
import { createRoot } from 'react-dom/client'

class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  done = false
}
const TodoResource = createResource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo })

function Todos() {
  const todos = useSuspense(TodoResource.getList)
  const controller = useController()
  return (
    <>
      <ul>
        {todos.map((todo) => (
          <li key={todo.pk()}>{todo.title}</li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => controller.fetch(TodoResource.getList.push, { userId: 1, title: 'Move over' })}
      >
        Add
      </button>
    </>
  )
}

/** A manager of the application's own. */
class TitleManager implements Manager {
  middleware: Manager['middleware'] = () => (next) => async (action) => {
    document.title = action.type
    await next(action)
  }
  cleanup() {}
}
const managers = [...getDefaultManagers(), new TitleManager()]

createRoot(document.getElementById('root') as HTMLElement).render(
  <CacheProvider managers={managers}>
    <AsyncBoundary fallback="loading">
      <Todos />
    </AsyncBoundary>
  </CacheProvider>,
)
