import { useLive } from '@roundtable/react'
import { getLiveTodos } from './api.js'

export function TodoCount({ userId }: { userId: number }) {
  return <p>{useLive(getLiveTodos, { userId }).length} todos</p>
}
