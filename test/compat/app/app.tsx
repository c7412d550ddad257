import {
  AsyncBoundary,
  CacheProvider,
  getDefaultManagers,
  LogoutManager,
  type Manager,
  NetworkErrorBoundary,
  useCache,
  useController,
  useDLE,
  useError,
  useLive,
  useSubscription,
  useSuspense,
} from '@data-client/react'
import { useState } from 'react'
import { LoggerManager, type Socket, SocketManager } from './managers.js'
import { getStats, getTeam, getTicker, session, TodoResource, toggleTodo, UserResource } from './resources.js'

export function App({ lines, socket, path = 'todos' }: { lines: string[]; socket: Socket; path?: string }) {
  const [managers] = useState<Manager[]>(() => [
    new LoggerManager(lines),
    new SocketManager(socket),
    new LogoutManager({
      handleLogout(controller) {
        session.token = ''
        lines.push('logout')
        void controller.resetEntireStore()
      },
    }) as Manager,
    ...getDefaultManagers(),
  ])
  return (
    <CacheProvider managers={managers}>
      <AsyncBoundary fallback={<p>Loading</p>}>{pages[path]}</AsyncBoundary>
    </CacheProvider>
  )
}

const pages: Record<string, React.ReactNode> = {
  todos: <TodoPage userId={1} />,
  author: <Author id={1} />,
  nobody: <Author id={undefined} />,
  missing: (
    <NetworkErrorBoundary fallbackComponent={({ error }) => <p role="alert">Error {error.status}</p>}>
      <TodoDetail id={404} />
    </NetworkErrorBoundary>
  ),
  stats: <Stats />,
  ticker: <Hideable />,
  team: <TeamName />,
}

function TodoPage({ userId }: { userId: number }) {
  const todos = useSuspense(TodoResource.getList, { userId })
  const controller = useController()
  const [failure, setFailure] = useState('')
  return (
    <section>
      <ul>
        {todos.map((todo) => (
          <li key={todo.pk()}>
            {todo.label} by {todo.author?.name}
            <button
              type="button"
              onClick={() =>
                controller
                  .fetch(toggleTodo, { id: todo.id }, { completed: !todo.completed })
                  .catch((error: Error & { status?: number }) => setFailure(`failed with ${error.status}`))
              }
            >
              toggle {todo.id}
            </button>
            <button type="button" onClick={() => controller.fetch(TodoResource.delete, { id: todo.id })}>
              delete {todo.id}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => controller.fetch(TodoResource.getList.push, { userId }, { userId, title: 'New' } as never)}
      >
        add
      </button>
      <button
        type="button"
        onClick={() => controller.fetch(TodoResource.getList.getPage, { userId, page: 2 } as never)}
      >
        more
      </button>
      <button type="button" onClick={() => controller.invalidate(TodoResource.getList, { userId })}>
        again
      </button>
      <button type="button" onClick={() => controller.fetch(UserResource.get, { id: 401 }).catch(() => {})}>
        expire the session
      </button>
      {failure && <p role="alert">{failure}</p>}
    </section>
  )
}

function TodoDetail({ id }: { id: number }) {
  return <p>{useSuspense(TodoResource.get, { id }).title}</p>
}

function Author({ id }: { id: number | undefined }) {
  const params = id === undefined ? null : { id }
  const { data, loading, error } = useDLE(UserResource.get, params as { id: number })
  const controller = useController()
  const [stored, setStored] = useState('')
  const known = useError(UserResource.get, params as { id: number })
  if (error) return <p role="alert">{error.status}</p>
  if (loading) return <p>…</p>
  const look = () => {
    const { data: found } = controller.getResponse(UserResource.get, { id: 1 }, controller.getState())
    setStored(found?.name ?? 'unknown')
  }
  return (
    <p>
      {data?.name ?? 'Nobody'} {known ? 'failed' : 'fine'} {stored}
      <button type="button" onClick={look}>
        look
      </button>
      <button
        type="button"
        onClick={() => controller.setResponse(UserResource.get, { id: 1 }, { id: 1, name: 'Ada Lovelace' })}
      >
        rename
      </button>
    </p>
  )
}

function Stats() {
  const stats = useLive(getStats) as { open: number }
  return <p>{stats.open} open</p>
}

function Hideable() {
  const [isShown, setShown] = useState(true)
  return (
    <>
      {isShown && <Price id="BTC" />}
      <button type="button" onClick={() => setShown(false)}>
        hide
      </button>
    </>
  )
}

function Price({ id }: { id: string }) {
  useSubscription(getTicker, { id })
  const ticker = useCache(getTicker, { id })
  return <p>{ticker ? `${ticker.id} ${ticker.price}` : 'no price'}</p>
}

function TeamName() {
  const team = useSuspense(getTeam)
  return <p>{`${team.name} ${team.constructor.name} ${team.pk()}`}</p>
}
