import type { LiveMessage, Wire } from '@roundtable/core/live'
import { pushed } from './pushed.js'

/** A wire of the changes of a table, which come over a channel of Phoenix. */
export const supabase =
  (table: string): Wire =>
  ({ url, headers, signal }) =>
    pushed<LiveMessage>(signal, (push, end) => {
      const socket = new WebSocket(url)
      const tell = (topic: string, event: string, payload: object) =>
        socket.send(JSON.stringify({ topic, event, payload, ref: '1' }))
      const beat = setInterval(
        () => tell('phoenix', 'heartbeat', {}),
        25_000,
      )
      socket.addEventListener('open', () => {
        const changes = { event: '*', schema: 'public', table }
        tell(`realtime:${table}`, 'phx_join', {
          config: { postgres_changes: [changes] },
          access_token: headers.get('authorization'),
        })
      })
      socket.addEventListener('message', ({ data: text }) => {
        const { event, payload } = JSON.parse(text)
        if (event === 'postgres_changes') {
          const { type, record, old_record } = payload.data
          push({ type, data: type === 'DELETE' ? old_record : record })
        } else if (event === 'phx_error' || payload.status === 'error')
          end(new Error(`${table}: ${JSON.stringify(payload)}`))
        // Others only keep the connection alive; changes follow after 'system'.
        else push(event === 'system' ? { type: 'opened' } : {})
      })
      socket.addEventListener('close', ({ code }) =>
        end(new Error(`close code ${code}`)),
      )
      return () => {
        clearInterval(beat)
        socket.close()
      }
    })
