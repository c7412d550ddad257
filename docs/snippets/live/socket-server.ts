import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { app, begin, pump } from './server.js'

const port = Number(process.env.PORT ?? 3_000)
// Without HTTP/2 it is a server of node:http.
export const server = serve({ fetch: app.fetch, port }) as Server

const sockets = new WebSocketServer({ server, path: '/socket' })

sockets.on('connection', async (socket, request) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost')
  const tell = (message: object) => socket.send(JSON.stringify(message))
  const sent = begin(searchParams.get('lastEventId'))
  tell({ type: 'opened', id: `${sent}` })
  await pump(sent, {
    isOver: () => socket.readyState !== socket.OPEN,
    beat: () => tell({}),
    send: ({ id, type, data }) => tell({ id: `${id}`, type, data }),
  })
  socket.close()
})
