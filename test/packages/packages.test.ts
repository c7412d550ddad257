import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placeholders } from '../../scripts/release/addresses.mjs'
import { startChromium } from '../browser/chromium.js'
import { type Snippet, snippetsOf } from '../docs/snippets.js'

const { CONSUMERS_FOLDER: folder } = process.env
if (folder === undefined) throw new Error('Run npm run test:packages, which packs and installs the packages.')

const root = join(import.meta.dirname, '../..')
const readme = snippetsOf(readFileSync(join(root, 'README.md'), 'utf8'))
const todos = [
  { id: 5, userId: 1, title: 'Read the first screen', done: false },
  { id: 6, userId: 1, title: 'Break it on purpose', done: false },
]

/** The README's snippet of a language that has something in it. */
function snippet(language: string, part: string): string {
  const found = readme.filter((one: Snippet) => one.language === language && one.code.includes(part))
  expect(found, `the README's ${language} with ${part}`).toHaveLength(1)
  return found[0]?.code ?? ''
}

/** Runs a program to its end in one of the installed applications. @returns all that it has written, if it ended well */
async function passes(args: readonly string[], cwd: string, program: string = process.execPath): Promise<string> {
  const child = spawn(program, args, { cwd: join(folder as string, cwd), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  expect(code, output).toBe(0)
  return output
}

let server: Server
let origin: string
let browser: Browser

/** Serves the files of the applications, as a plain static server does. */
beforeAll(async () => {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Opens a page whose API is at the address that the README's snippets have; rows that it changes stay changed. */
async function open(path: string): Promise<{ page: Page; failures: string[]; requests: string[] }> {
  const page = await browser.newPage()
  const failures: string[] = []
  const requests: string[] = []
  const rows = todos.map((todo) => ({ ...todo }))
  page.on('pageerror', (error) => failures.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  await page.route('https://api.example.com/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const method = route.request().method()
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (method === 'OPTIONS') {
      return route.fulfill({ status: 204, headers: { ...headers, 'access-control-allow-methods': '*' } })
    }
    requests.push(`${method} ${pathname}`)
    const body = route.request().postDataJSON() as object | null
    const row = rows.find(({ id }) => pathname.endsWith(`/${id}`))
    if (method === 'POST') return route.fulfill({ headers, json: { ...body, id: 7, userId: 1, done: false } })
    if (method === 'DELETE') return route.fulfill({ status: 204, headers })
    return route.fulfill({ headers, json: row ? Object.assign(row, body) : rows })
  })
  await page.goto(`${origin}${path}`)
  return { page, failures, requests }
}

const vite = ['../node_modules/vite/bin/vite.js', 'build', '--base', './', '--logLevel', 'warn']

describe('an application of the README, with packages from tarballs', () => {
  test('with React shows todos and adds one', async () => {
    writeFileSync(join(folder, 'react/api.ts'), snippet('ts', '// api.ts'))
    writeFileSync(join(folder, 'react/todos.tsx'), snippet('tsx', 'export function Todos'))
    await passes(['../node_modules/typescript/bin/tsc', '-p', '.'], 'react')
    await passes(vite, 'react')
    const { page, failures, requests } = await open('/react/dist/')
    await expect.poll(() => page.locator('li').allTextContents()).toEqual(todos.map(({ title }) => title))
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.locator('li').count()).toBe(3)
    await expect.poll(() => requests.at(-1)).toBe('POST /todos')
    expect(failures).toEqual([])
  })

  test.each([
    ['Vite', ['../node_modules/vite/bin/vite.js', 'build', '--base', './', '--logLevel', 'warn'], 'index.html'],
    ['Rollup', ['../node_modules/rollup/dist/bin/rollup', '-c'], 'main.js'],
    ['webpack', ['../node_modules/webpack/bin/webpack.js'], 'main.js'],
  ])(
    'built by %s as the recipe for the first load says has a chunk of its own, with the hint',
    async (name, args, entry) => {
      const config = `${name.toLowerCase()}.config.js`
      copyFileSync(
        join(import.meta.dirname, '../../docs/snippets/first-load', config),
        join(folder, 'first-load', config),
      )
      await passes(args, 'first-load')
      const dist = join(folder, 'first-load/dist')
      const chunks = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
      const hinted = chunks.filter((path) =>
        readFileSync(join(dist, path), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'),
      )
      expect(hinted.map((path) => /roundtable/.exec(path)?.[0])).toEqual(['roundtable'])
      if (entry === 'main.js') {
        const own = [...hinted, entry].map((path) => `<script type="module" src="./${path}"></script>`)
        writeFileSync(join(dist, 'index.html'), `<!doctype html><html lang="en"><body>${own.join('')}</body></html>`)
      }
      const { page, failures } = await open('/first-load/dist/')
      await expect.poll(() => page.locator('li').allTextContents()).toEqual(todos.map(({ title }) => title))
      expect(failures).toEqual([])
      rmSync(dist, { recursive: true })
    },
  )

  test('in Storybook shows a story with the decorator of the guide on testing, without a server', async () => {
    for (const file of ['api.ts', 'backend.ts', 'preview.tsx']) {
      copyFileSync(join(import.meta.dirname, '../../docs/snippets/testing', file), join(folder, 'storybook', file))
    }
    await passes(['../node_modules/typescript/bin/tsc', '-p', '.'], 'storybook')
    await passes(vite, 'storybook')
    const { page, failures, requests } = await open('/storybook/dist/')
    const button = page.getByRole('button')
    await expect.poll(() => button.textContent()).toBe('Sharpen the pencil')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Sharp')
    expect([failures, requests]).toEqual([[], []])
  })

  test('with Vue shows todos and renames one', async () => {
    writeFileSync(join(folder, 'vue/api.ts'), snippet('ts', '// api.ts'))
    writeFileSync(join(folder, 'vue/todos.vue'), snippet('vue', 'v-for'))
    await passes(vite, 'vue')
    const { page, failures } = await open('/vue/dist/')
    await expect.poll(() => page.locator('li').allInnerTexts()).toEqual(todos.map(({ title }) => title))
    await page.locator('li button').first().click()
    await expect.poll(() => page.locator('li').first().innerText()).toBe('Done')
    expect(failures).toEqual([])
  })

  test('with Svelte shows todos and removes one', async () => {
    writeFileSync(join(folder, 'svelte/api.ts'), snippet('ts', '// api.ts'))
    writeFileSync(join(folder, 'svelte/todos.svelte'), snippet('svelte', '#each'))
    await passes(vite, 'svelte')
    const { page, failures } = await open('/svelte/dist/')
    await expect.poll(() => page.locator('button').allInnerTexts()).toEqual(todos.map(({ title }) => title))
    await page.locator('button').first().click()
    await expect.poll(() => page.locator('button').allInnerTexts()).toEqual(['Break it on purpose'])
    expect(failures).toEqual([])
  })

  test('of data-client runs on the compatibility package by an alias, with types', async () => {
    await passes(['../node_modules/typescript/bin/tsc', '-p', '.'], 'compat')
    await passes(vite, 'compat')
    const { page, failures, requests } = await open('/compat/dist/')
    await expect.poll(() => page.locator('li').allTextContents()).toEqual(todos.map(({ title }) => title))
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => requests.at(-1)).toBe('POST /todos')
    await expect.poll(() => page.locator('li').allTextContents()).toContain('Move over')
    expect([failures, await page.title()]).toEqual([[], 'rdc/setresponse'])
  })

  test('runs in Node as a script', async () => {
    // The API is there, but the address: what is not Node's is the line that answers.
    const answer = `globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(input)
      const row = ${JSON.stringify(todos[0])}
      const body = JSON.parse(init?.body ?? '{}')
      return Response.json(pathname.endsWith('/5') ? { ...row, ...body } : ${JSON.stringify(todos)})
    }\n`
    writeFileSync(join(folder, 'script/fetch.mjs'), answer)
    writeFileSync(join(folder, 'script/api.ts'), snippet('ts', '// api.ts'))
    writeFileSync(join(folder, 'script/main.ts'), snippet('ts', 'new Controller()'))
    const { transformWithOxc } = await import('vite')
    for (const name of ['api', 'main']) {
      const { code } = await transformWithOxc(readFileSync(join(folder, `script/${name}.ts`), 'utf8'), `${name}.ts`)
      writeFileSync(join(folder, `script/${name}.js`), code)
    }
    const output = await passes(['--import', './fetch.mjs', 'main.js'], 'script')
    expect(output).toContain('2 todos')
  })

  test('runs in a page without a bundler', async () => {
    const html = `<!doctype html><title>No bundler</title><link rel="icon" href="data:," /><ul></ul>
<script>globalThis.process = { env: { NODE_ENV: 'production' } }</script>
<script type="importmap">{ "imports": { "@roundtable/core": "/node_modules/@roundtable/core/dist/index.js" } }</script>
<script type="module">
  import { Controller, Entity, resource } from '@roundtable/core'
  class Todo extends Entity {
    static key = 'Todo'
    id = 0
    title = ''
  }
  const TodoResource = resource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo })
  const todos = await new Controller().fetch(TodoResource.getList)
  document.querySelector('ul').textContent = todos.map(({ title }) => title).join(', ')
</script>`
    writeFileSync(join(folder, 'no-bundler.html'), html)
    const { page, failures } = await open('/no-bundler.html')
    await expect.poll(() => page.locator('ul').textContent()).toBe(todos.map(({ title }) => title).join(', '))
    expect(failures).toEqual([])
  })

  test('is tested by jest in a CommonJS project', async () => {
    const output = await passes(['../node_modules/jest/bin/jest.js', '--no-watchman', '--no-cache'], 'jest')
    expect(output).toContain('Tests:       1 passed')
  })

  test('is loaded by require', async () => {
    expect(await passes(['require.cjs'], 'script')).toContain('GET /todos/1 function')
  })

  test('is found by a resolver that does not know exports', async () => {
    const lines = (await passes(['without-exports.cjs'], 'script')).trim().split('\n')
    expect(lines).toEqual(['core', 'react'].map((name) => `sourceFile node_modules/@roundtable/${name}/dist/index.js`))
  })
})

describe('the command of openapi, in a project with TypeScript 7', () => {
  const project = '../openapi'
  const guide = join(root, 'docs/snippets/openapi')
  const written = (file: string) => readFileSync(join(folder, project, 'src/api', file), 'utf8')

  beforeAll(() => copyFileSync(join(guide, 'openapi.yaml'), join(folder, project, 'openapi.yaml')))

  test('writes what the guide shows, which has no type errors there', async () => {
    const output = await passes(['roundtable-openapi', 'openapi.yaml', 'src/api'], project, 'npx')
    expect(output).toContain('4 operations and 2 kinds of rows')
    for (const file of ['roundtable.gen.ts', 'types.gen.ts']) {
      expect(written(file)).toBe(readFileSync(join(guide, 'api', file), 'utf8'))
    }
    expect(await passes(['node_modules/typescript/bin/tsc', '--version'], project)).toContain('Version 7.')
    await passes(['node_modules/typescript/bin/tsc', '-p', '.'], project)
  })

  test('runs on a Node whose hooks run in the same thread', async () => {
    const node = newerNode(join(folder, project, 'node_modules'))
    expect(await passes(['-p', "typeof require('module').registerHooks"], project, node)).toBe('function\n')
    rmSync(join(folder, project, 'src/api'), { recursive: true })
    await passes(
      ['node_modules/@roundtable/openapi/bin/roundtable-openapi.mjs', 'openapi.yaml', 'src/api'],
      project,
      node,
    )
    expect(written('roundtable.gen.ts')).toBe(readFileSync(join(guide, 'api/roundtable.gen.ts'), 'utf8'))
  })
})

/**
 * The program of Node 22 that the project depends on, under the name of this platform; or the one that runs, which may
 * be as new.
 */
function newerNode(modules: string): string {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const names = readdirSync(modules).filter((name) => name.startsWith('node-'))
  return names.map((name) => join(modules, name, program)).find(existsSync) ?? process.execPath
}

const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const places = ['.', '../openapi'].flatMap((project) => {
  const scope = join(folder, project, 'node_modules/@roundtable')
  return readdirSync(scope).map((name) => [name, scope] as const)
})

describe.each([...new Map(places)])('the tarball of %s', (name, scope) => {
  const files = readdirSync(join(scope, name), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.\w+$/.test(file) && !file.startsWith('node_modules'),
  )
  const manifest = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'))

  test('has a README, the licence, and nothing that nobody loads', () => {
    expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json']))
    expect(readdirSync(join(scope, name))).toContain('LICENSE')
    const kinds = [
      ...new Set(files.filter((file) => file.startsWith('dist/')).map((file) => file.replace(/^.*?\./, ''))),
    ]
    const known = [
      'js',
      'js.map',
      'd.ts',
      'd.ts.map',
      'svelte',
      'svelte.d.ts',
      'svelte.js',
      'svelte.d.ts.map',
      'svelte.js.map',
    ]
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([])
  })

  test('has no link to a file that it does not have', () => {
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const text = readFileSync(join(scope, name, file), 'utf8')
        const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
        const isThere = (link: string) => existsSync(join(scope, name, dirname(file), link.split('#')[0] ?? ''))
        return links.filter((link) =>
          /^https:/.test(link) ? placeholders.some((address) => link.startsWith(address)) : !isThere(link),
        )
      })
    expect(dead).toEqual([])
  })

  test('has the page of each error if it is core, where messages say that it is, and else no pages', () => {
    const pages = readdirSync(join(root, 'docs/errors'))
    expect(pages.length).toBeGreaterThan(16)
    const docs = join(scope, name, 'docs/errors')
    expect(existsSync(docs) ? readdirSync(docs) : []).toEqual(name === 'core' ? pages : [])
  })

  test('says whose it is, where it comes from and what it is for', () => {
    const elsewhere: Record<string, string> = {
      core: 'core',
      'compat-data-client': 'compat/data-client',
      openapi: 'openapi',
    }
    const directory = elsewhere[name] ?? `adapters/${name}`
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: ours.homepage,
      bugs: { url: expect.stringMatching(/^https:.*\/issues$/) },
      repository: { ...ours.repository, directory },
      publishConfig: { access: 'public' },
    })
    expect(manifest.keywords.length).toBeGreaterThan(4)
  })

  test('would be published', async () => {
    const tarball = readdirSync(join(folder, '../packages')).find((file) => file.includes(`-${name}-`)) as string
    const output = await passes(['publish', tarball, '--dry-run', '--provenance=false'], '../packages', 'npm')
    expect(output).toContain(`+ @roundtable/${name}@${manifest.version}`)
  })
})
