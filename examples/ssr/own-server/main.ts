// The server: the page of the framework that the command line names, and its scripts.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { type Render, transportFor } from './page.js'

const [framework = 'react'] = process.argv.slice(2)
const { PORT = '3000', API_URL = 'http://127.0.0.1:4000' } = process.env
const { render } = (await import(/* @vite-ignore */ `./${framework}.js`)) as { readonly render: Render }
const scripts = new URL('../client/', import.meta.url)

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/') {
    const nonce = randomUUID()
    const policy = `default-src 'self'; img-src 'self' data:; script-src 'self' 'nonce-${nonce}'`
    response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('content-security-policy', policy)
    const transport = transportFor(API_URL, request.headers.cookie ?? '')
    const page = await render({ transport, nonce, script: `/${framework}.js` })
    // A browser that disconnects is not an error.
    pipeline(Readable.from(page), response, () => {})
  } else {
    const file = await readFile(new URL(`.${pathname}`, scripts)).catch(() => undefined)
    response.statusCode = file === undefined ? 404 : 200
    response.setHeader('content-type', 'text/javascript').end(file)
  }
})
server.listen(Number(PORT), '127.0.0.1')
