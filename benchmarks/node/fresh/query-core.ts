import { QueryClient } from '@tanstack/query-core'
import { timeOnce } from './timed.js'

timeOnce((response) => {
  const client = new QueryClient()
  client.setQueryData(['tasks'], response)
  return client.getQueryData(['tasks'])
})
