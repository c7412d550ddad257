import { serve } from '@hono/node-server'
import { api } from './server.js'

serve({ fetch: api.fetch, port: 3000 })
