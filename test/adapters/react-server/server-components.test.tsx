// @vitest-environment node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import {
  Children,
  cloneElement,
  createElement,
  type FunctionComponent,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'
import { renderToString } from 'react-dom/server'
import { beforeAll, expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * A page of server components: definitions of a file that knows nothing of React, and a client component that gets
 * their data.
 */
const PAGE = `
import { Entity, resource } from '@roundtable/core'
import { AsyncBoundary, DataProvider } from '@roundtable/react'
import * as adapter from '@roundtable/react'
import * as React from 'react'

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
}

export const TodoResource = resource({ urlPrefix: 'https://todos.example', path: '/todos/:id', schema: Todo })

export async function Page({ id }) {
  const todo = await TodoResource.get({ id })
  return (
    <DataProvider>
      <AsyncBoundary fallback="loading">
        <h1>{todo.title}</h1>
      </AsyncBoundary>
    </DataProvider>
  )
}

export const words = Object.keys(adapter)
export const canMakeContext = 'createContext' in React
`

interface ServerBuild {
  Page(props: { id: number }): Promise<ReactElement>
  words: readonly string[]
  canMakeContext: boolean
}

/** The reference to an export of a client module in the output of a server component. */
interface ClientReference {
  readonly $$typeof: symbol
  readonly file: string
  readonly name: string
}

const CLIENT = Symbol.for('react.client.reference')
/** The client modules that the server build met. */
const met: string[] = []

/** As bundlers for server components do: of a module that says 'use client' only references are left. */
const useClient: Plugin = {
  name: 'use-client',
  setup(builder) {
    builder.onLoad({ filter: /adapters\/react\/src\/.*\.tsx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/^'use client'/.test(text)) return undefined
      met.push(path)
      const names = [...text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name)
      const reference = (name = ''): string =>
        `export const ${name} = { $$typeof: Symbol.for('react.client.reference'), file: ${JSON.stringify(path)}, name: '${name}' }`
      return { contents: names.map(reference).join('\n'), loader: 'ts' }
    })
  },
}

let server: ServerBuild

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: here, loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    jsx: 'automatic',
    conditions: ['react-server', '@roundtable/source'],
    plugins: [useClient],
    logLevel: 'silent',
  })
  const module = { exports: {} as ServerBuild }
  const run = new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')
  run(module, module.exports, createRequire(import.meta.url))
  server = module.exports
})

test('the build is one of server components', () => {
  expect(server.canMakeContext).toBe(false)
})

test('it exports the parts of a page, each a client component, and no hooks', () => {
  expect([...server.words].sort()).toEqual(['AsyncBoundary', 'DataProvider', 'ErrorBoundary', 'NetworkErrorBoundary'])
  expect(met.map((path) => path.replace(/^.*\//, '')).sort()).toEqual([
    'async-boundary.ts',
    'data-provider.ts',
    'error-boundary.ts',
  ])
})

test('definitions are called where there is no store, and their results are rendered', async () => {
  const { fetch } = globalThis
  const requested: string[] = []
  globalThis.fetch = async (url) => {
    requested.push(String(url))
    return Response.json({ id: 5, title: 'Sharpen the pencil' })
  }
  try {
    const page = await server.Page({ id: 5 })
    expect(requested).toEqual(['https://todos.example/todos/5'])
    expect(renderToString(await onClient(page))).toContain('<h1>Sharpen the pencil</h1>')
  } finally {
    globalThis.fetch = fetch
  }
})

/** Renders the output of the server on a client: references become their components. */
async function onClient(node: ReactNode): Promise<ReactNode> {
  if (Array.isArray(node)) return Promise.all(node.map(onClient))
  if (!isValidElement<{ children?: ReactNode }>(node)) return node
  const inner = await onClient(node.props.children)
  const children = Children.count(inner) > 0 ? [inner] : []
  // A reference stands where a component would.
  const reference = node.type as unknown as ClientReference
  if (reference.$$typeof !== CLIENT) return cloneElement(node, undefined, ...children)
  const module = (await import(reference.file)) as Record<string, FunctionComponent<object>>
  return createElement(module[reference.name] as FunctionComponent<object>, node.props, ...children)
}
