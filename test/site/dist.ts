import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

/** Where `npm run docs:build` puts the site. */
export const dist = join(import.meta.dirname, '../../docs/.vitepress/dist')

/** The addresses of all pages, without the one for addresses that are none. */
export function pageAddresses(): readonly string[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
  return files.filter((file) => file !== '404.html').map((file) => `/${file.replace(/(?:index)?\.html$/, '')}`)
}

/** The HTML of a page by its address; undefined if there is none. */
export function htmlOf(address: string): string | undefined {
  const file = [`${address}.html`, `${address}index.html`]
    .map((name) => join(dist, name))
    .find((path) => existsSync(path))
  return file && readFileSync(file, 'utf8')
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves the site as any static host does that leaves `.html` out of addresses. */
export async function serveSite(): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.test')
    const html = extname(pathname) === '' ? htmlOf(pathname) : undefined
    const file = join(dist, decodeURIComponent(pathname))
    if (html !== undefined) response.setHeader('content-type', 'text/html').end(html)
    else if (extname(pathname) !== '' && existsSync(file))
      response.setHeader('content-type', types[extname(pathname)] ?? 'text/plain').end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
