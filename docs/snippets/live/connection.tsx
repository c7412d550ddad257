import { useConnection } from '@roundtable/react/live'
import { getPushedTodos } from './live-todos.js'

export function Connection({ userId }: { userId: number }) {
  const connection = useConnection(getPushedTodos, { userId })
  return connection?.status === 'open' ? null : <p>Not connected</p>
}
