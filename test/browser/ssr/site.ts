import { readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { build } from 'vite'
import { pageOf, type Render, transportFor } from '../../../examples/ssr/page.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const examples = join(root, 'examples/ssr')

/** A title that tries to leave the script that holds it, and the list item that shows it. */
export const HOSTILE = '</script><script>window.pwned = 1</script><!-- \u2028 <img src=x onerror="window.pwned = 1">'

/** One of the examples, built for production, behind a server with an API. */
export interface ExampleSite {
  readonly url: string
  /** What was asked of the API, by whom. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function openExample(framework: 'react' | 'vue' | 'svelte'): Promise<ExampleSite> {
  const before = process.env.NODE_ENV
  // The test runner's own value would make the frameworks' development builds.
  process.env.NODE_ENV = 'production'
  try {
    return await builtExample(framework)
  } finally {
    process.env.NODE_ENV = before
  }
}

async function builtExample(framework: 'react' | 'vue' | 'svelte'): Promise<ExampleSite> {
  const folder = join(root, 'node_modules/.cache/ssr', framework)
  await rm(folder, { recursive: true, force: true })
  const ending = framework === 'react' ? 'tsx' : 'ts'
  const plugins = [vue(), svelte({ configFile: false, compilerOptions: { experimental: { async: true } } })]
  const shared = { configFile: false, root: examples, mode: 'production', logLevel: 'error', plugins } as const
  await build({
    ...shared,
    build: {
      outDir: join(folder, 'client'),
      rollupOptions: { input: join(examples, framework, `client.${ending}`), output: { entryFileNames: 'client.js' } },
    },
  })
  await build({
    ...shared,
    ssr: { noExternal: [/@roundtable/, /^svelte/] },
    build: { ssr: join(examples, framework, `server.${ending}`), outDir: join(folder, 'server') },
  })
  const { render } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'server/server.js')).href)) as {
    readonly render: Render
  }
  return serve(render, join(folder, 'client'))
}

async function serve(render: Render, folder: string): Promise<ExampleSite> {
  const asked: string[] = []
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/api/')) {
      asked.push(`${pathname} ${userOf(request)}`)
      const answer = await answerTo(pathname, userOf(request))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    } else if (pathname === '/') {
      const { port } = server.address() as AddressInfo
      const transport = transportFor(`http://127.0.0.1:${port}`, request.headers.cookie ?? '')
      const page = await pageOf(render, transport)
      response.setHeader('content-type', 'text/html')
      response
        .setHeader('content-security-policy', "default-src 'self'; img-src 'self' data:; script-src 'self'")
        .end(page)
    } else {
      const file = await readFile(join(folder, pathname)).catch(() => undefined)
      response.statusCode = file === undefined ? 404 : 200
      response.setHeader('content-type', 'text/javascript').end(file)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function userOf({ headers }: IncomingMessage): string {
  return /token=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? 'nobody'
}

async function answerTo(pathname: string, user: string): Promise<unknown> {
  await new Promise((resolve) => setTimeout(resolve, pathname === '/api/issues' ? 60 : 10))
  const author = { id: user, name: `Name of ${user}` }
  if (pathname === '/api/me') return author
  if (pathname === '/api/stats') return { open: 2 }
  return [
    { id: 1, title: 'First issue', author },
    { id: 2, title: HOSTILE, author },
  ]
}
