import { useQuery } from '@roundtable/react'
import { openCount } from './api.js'

export function OpenCount() {
  return <h1>{useQuery(openCount) ?? 0} open</h1>
}
