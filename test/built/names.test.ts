import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Mutation, Step } from '../../core/src/offline/mutation.js'
import { encodeStep } from '../../core/src/offline/steps.js'
import { internalNames, memberNames } from '../../scripts/internal-names.mjs'

const root = join(import.meta.dirname, '..', '..')
const core = join(root, 'core')
const dist = join(core, 'dist')
const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
const names = internalNames(core)
const entries = ['index', 'hydration', 'testing', 'nanostores']

type Exports = Readonly<Record<string, unknown>>

/**
 * The names of all that an application can get at without calling anything: exports, statics, methods, and so on below
 * these.
 */
function reachable(value: unknown, path: string, met: Map<unknown, string>, found: string[]): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
  if (met.has(value)) return
  met.set(value, path)
  for (const name of Reflect.ownKeys(value)) {
    const { value: inner } = Object.getOwnPropertyDescriptor(value, name) ?? {}
    // A minifier may change these two.
    if (name === 'name' || name === 'length') continue
    found.push(`${path}.${String(name)}`)
    reachable(inner, `${path}.${String(name)}`, met, found)
  }
  const above = Object.getPrototypeOf(value)
  if (!isLanguage(above)) reachable(above, `${path}.^`, met, found)
}

function isLanguage(prototype: unknown): boolean {
  return [Object, Function, Array, Map, Set, Error, TypeError, Promise].some((type) => type.prototype === prototype)
}

function namesOf(exports: Exports): readonly string[] {
  const found: string[] = []
  for (const name of Object.keys(exports).sort()) found.push(name)
  const met = new Map<unknown, string>()
  for (const name of found.slice()) reachable(exports[name], name, met, found)
  return found.sort()
}

/** One of each of what applications make, and of what they get from these. */
async function instances(exports: Exports): Promise<Exports> {
  // Both runs use the same members; the types are those of the sources.
  const {
    Collection,
    Controller,
    Entity,
    RestEndpoint,
    resource,
    All,
    Query,
    Union,
    Values,
    Lazy,
    Invalidate,
    Scalar,
  } = exports as unknown as typeof import('@roundtable/core')
  class Todo extends Entity {
    static override key = 'Todo'
    id = 0
    title = ''
    type = ''
  }
  const endpoint = new RestEndpoint({ path: '/todos/:id', schema: Todo })
  const failing = new RestEndpoint({ path: '/failing', fetch: () => Promise.reject(new Error('no')) })
  const controller = new Controller({ onError: () => {} })
  const collection = new Collection([Todo])
  const events: unknown[] = []
  for (const name of ['fetch', 'settle', 'commit'] as const) controller.on(name, (event) => events.push(event))
  controller.set(Todo, { id: 1 }, { id: 1, title: 'Sharpen' })
  controller.setResponse(endpoint, { id: 2 }, { id: 2, title: 'Draw' })
  await controller.fetch(failing).catch(() => {})
  const thrown = await controller.fetch(endpoint.extend({ fetch: () => Promise.resolve(5) }), { id: 3 }).catch((e) => e)
  const made = {
    Todo,
    todo: controller.get(Todo, { id: 1 }),
    response: controller.getResponse(endpoint, { id: 2 }),
    snapshot: controller.snapshot(),
    normalized: (exports.normalize as typeof import('@roundtable/core').normalize)([Todo], [{ id: 1 }]),
    shown: controller.watch(endpoint, { id: 2 }).getSnapshot(),
    resource: resource({ path: '/todos/:id', schema: Todo }),
    schemas: [new All(Todo), new Query(collection, (all) => all), new Union({ a: Todo }, 'type'), new Values(Todo)],
    others: [new Lazy(() => Todo), new Invalidate(Todo)],
    hasScalar: typeof Scalar,
    env: (exports.browserEnv as () => unknown)(),
    events,
    thrown,
  }
  controller.dispose()
  return { ...made, controller, endpoint }
}

/** What each function and class calls itself. */
function ownNames(exports: Exports): readonly (readonly [string, unknown])[] {
  const own = Object.entries(exports).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, value.name] as const] : [],
  )
  return own.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** What the table alone asks of `All`, by the names of the sources and by those of dist. */
const askedOfAll = ['failure', 'isSorted', 'limitOf', 'membersIn'].flatMap((name) => [name, names[name]])

/** False for what no application sees: the lists of a Collection, and what the table asks of `All`. */
function isSeen(path: string): boolean {
  const isAll = path.startsWith('All.') || path.startsWith('schemas.0.')
  return !path.includes('.engine.') && !(isAll && askedOfAll.includes(path.split('.').at(-1)))
}

describe('names of properties in dist of core', () => {
  test('are short where an application cannot see them', () => {
    expect(Object.keys(names).length).toBeGreaterThan(150)
    const left = scripts.flatMap((file) =>
      [...memberNames(join(dist, file))].filter((name) => Object.hasOwn(names, name)),
    )
    expect(left).toEqual([])
  })

  test('are all different, and none that an application knows', () => {
    const short = Object.values(names)
    expect(new Set(short).size).toBe(short.length)
    const own = readdirSync(join(core, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const kept = new Set(own.flatMap((file) => [...memberNames(join(core, 'src', file))]))
    expect(short.filter((name) => kept.has(name))).toEqual([])
  })

  test.each(entries)('are those of the sources in all that %s exports', async (entry) => {
    const built: Exports = await import(join(dist, `${entry}.js`))
    const source: Exports = await import(join(core, 'src', `${entry}.ts`))
    expect(namesOf(built).length).toBeGreaterThan(0)
    expect(namesOf(built).filter(isSeen)).toEqual(namesOf(source).filter(isSeen))
  })

  test.each(entries)(
    'of classes and functions that %s exports are those of the sources in consoles and stacks',
    async (entry) => {
      const built: Exports = await import(join(dist, `${entry}.js`))
      const source: Exports = await import(join(core, 'src', `${entry}.ts`))
      expect(ownNames(built)).toEqual(ownNames(source))
    },
  )

  test('are those of the sources in what applications make, receive and log', async () => {
    const built = await instances(await import(join(dist, 'index.js')))
    const source = await instances(await import(join(core, 'src', 'index.ts')))
    const [one, other] = [built, source].map((made) => namesOf(made).filter(isSeen))
    expect(one).toEqual(other)
  })
})

test('the names of properties in a log are whole, since another version of core reads it', () => {
  const error = { name: 'HttpError', message: 'no', code: 'HTTP_422', status: 422, body: 'no' }
  const mutation: Required<Mutation> = {
    id: 'a',
    name: 'createTask',
    args: [],
    at: 0,
    attempts: 1,
    isTried: true,
    kept: 'v1',
    error,
    rows: ['Task'],
  }
  const steps: readonly Step[] = [
    ['add', 'a', mutation],
    ['refuse', 'a', error, ['Task']],
  ]
  const written = JSON.stringify(steps.map(encodeStep))
  const kept = [...written.matchAll(/"(\w+)":/g)].map(([, name = '']) => name)
  expect(kept).toEqual(expect.arrayContaining(['attempts', 'message', 'rows']))
  expect(kept.filter((name) => Object.hasOwn(names, name))).toEqual([])
})

test('the maps of core lead from the code that ran to its line in the source', () => {
  const script = `
    import { Controller } from './core/dist/index.js'
    try { new Controller({ dataExpiryLength: -1 }) } catch (error) { console.log(error.stack) }
  `
  const args = ['--enable-source-maps', '--input-type=module', '-e', script]
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const places = [...stdout.matchAll(/\(?(?:file:\/\/)?(\/[^\s()]+\/core\/src\/[^\s():]+):(\d+):\d+\)?/g)]
  expect(places.length).toBeGreaterThan(1)
  const [, path = '', line = ''] = places[0] ?? []
  const text = readFileSync(resolve(path), 'utf8').split('\n')[Number(line) - 1] ?? ''
  expect(text).toMatch(/throw new OptionError\(/)
})
