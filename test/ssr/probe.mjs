// Loaded into a server that is under test, by NODE_OPTIONS: tells how large its heap is after a collection.
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const server = createServer((_, response) => {
  collect()
  collect()
  response.end(String(process.memoryUsage().heapUsed))
})
// A child of the server finds the port in use.
server.on('error', () => {})
server.listen(Number(process.env.PROBE_PORT), '127.0.0.1').unref()
