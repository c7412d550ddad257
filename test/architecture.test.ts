import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { barrels, folders, foreign, missing, rings, unplaced, unused, upward } from './architecture/layers.js'
import { readSourceFile, type SourceFile } from './architecture/source-file.js'
import { decidedByClock } from './architecture/tests.js'

const core = join(import.meta.dirname, '..', 'core', 'src')
const files: SourceFile[] = readdirSync(core, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => readSourceFile(relative(core, file).split(sep).join('/'), readFileSync(file, 'utf8')))

describe('core/src', () => {
  test('is read: it has files', () => expect(files.length).toBeGreaterThan(10))
  test('puts every file into a layer (test/architecture/layers.ts)', () => expect(unplaced(files)).toEqual([]))
  test('has every file and folder that the layers name', () => expect(unused(files)).toEqual([]))
  test('imports only files that exist', () => expect(missing(files)).toEqual([]))
  test('imports only from lower layers', () => expect(upward(files)).toEqual([]))
  test('has no ring of imports, not even of types', () => expect(rings(files)).toEqual([]))
  test('is a staircase of folders: no arrow points back', () => expect(rings(folders(files))).toEqual([]))
  test('imports no package but its three, each from its own place', () => expect(foreign(files)).toEqual([]))
  test('has no barrels inside', () => expect(barrels(files)).toEqual([]))

  test('has no code for lists where no Collection is imported: only Collection hands it over', () => {
    const users = files.filter(({ path, imports }) => {
      const isOwn = path.startsWith('lists/') || path.startsWith('collections/')
      return !isOwn && imports.some((to) => to.startsWith('lists/'))
    })
    // `normalize` and `denormalize` for users read lists out of plain data; `unshift` is one of the functions for `addWith`.
    expect(users.map(({ path }) => path).sort()).toEqual(['client/normalize.ts', 'index.ts'])
  })

  test('has no code for polling where poll is not imported: only poll makes it', () => {
    const importersOf = (to: string): string[] =>
      files.flatMap(({ path, imports }) => (imports.includes(to) ? [path] : [])).sort()
    expect(importersOf('client/poll.ts')).toEqual(['index.ts'])
    expect(importersOf('client/sources.ts')).toEqual(['client/poll.ts'])
    expect(importersOf('engine/polling.ts')).toEqual(['client/poll.ts', 'client/sources.ts'])
  })

  test('has fewer than 5 any per 1,000 lines', () => {
    const anys = files.reduce((sum, file) => sum + file.anys, 0)
    const lines = files.reduce((sum, file) => sum + file.lines, 0)
    const where = files.filter((file) => file.anys > 0).map((file) => `${file.path}: ${file.anys}`)
    expect((anys * 1000) / lines, where.join(', ')).toBeLessThan(5)
  })

  test('has no file over 450 lines: split one by what its halves are about', () => {
    const long = files.filter(({ lines }) => lines > 450)
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })

  test('uses time, chance and the page only through util/env.ts, and makes no code from text', () => {
    expect(files.flatMap(({ path, forbidden }) => forbidden.map((use) => `${path}:${use}`))).toEqual([])
  })
})

test('no test is decided by how long something takes, and limits are those of test/hangs.ts', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|typescript-|architecture/.test(path))
    .map((path) => [path.split(sep).join('/'), readFileSync(join(import.meta.dirname, path), 'utf8')] as const)
  expect(tests.length).toBeGreaterThan(100)
  expect(tests.flatMap(([path, text]) => decidedByClock(text).map((line) => `${path}: ${line}`))).toEqual([])
})

test('ARCHITECTURE.md names only files and folders that exist', () => {
  const root = join(core, '..', '..')
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const names = [...page.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name)
  const isThere = (name: string): boolean =>
    existsSync(join(root, name)) || files.some(({ path }) => `/${path}`.includes(`/${name}`))
  expect(names).toContain('engine/retention.ts')
  expect(names.filter((name) => !isThere(name))).toEqual([])
})

describe('the rules find', () => {
  const read = (texts: Record<string, string>): SourceFile[] =>
    Object.entries(texts).map(([path, text]) => readSourceFile(path, text))

  test.each([
    ['a type import', "import type { A } from '../engine/store.js'"],
    ['a re-export', "export { a } from '../engine/store.js'"],
    ['an inline import type', "export type A = import('../engine/store.js').A"],
    ['a dynamic import', "export const a = () => import('../engine/store.js')"],
    ['a module augmentation', "declare module '../engine/store.js' { interface A {} }"],
  ])('%s that points up', (_, text) => {
    expect(upward(read({ 'table/row.ts': text, 'engine/store.ts': '' }))).toEqual(['table/row.ts → engine/store.ts'])
  })

  test.each([
    ['path/template.ts', '../schema/schema.js'],
    ['table/row.ts', '../endpoint/options.js'],
    ['rest/request.ts', '../table/row.js'],
    ['endpoint/endpoint.ts', '../rest/rest-endpoint.js'],
    ['freshness.ts', './respond.js'],
    ['respond.ts', './freshness.js'],
    ['engine/retention.ts', '../client/registry.js'],
    ['client/logout-manager.ts', '../index.js'],
  ])('that %s imports %s', (path, specifier) => {
    expect(upward(read({ [path]: `import '${specifier}'` }))).toHaveLength(1)
  })

  test.each([
    ['schema/entity.ts', '../path/params.js'],
    ['rest/rest-endpoint.ts', '../endpoint/endpoint.js'],
    ['respond.ts', './normalize/visit.js'],
    ['engine/retention.ts', './store.js'],
    ['client/controller.ts', './registry.js'],
    ['testing.ts', './client/controller.js'],
    ['index.ts', './testing.js'],
  ])('nothing when %s imports %s', (path, specifier) => {
    expect(upward(read({ [path]: `import '${specifier}'` }))).toEqual([])
  })

  test('a file or folder that a layer names and that does not exist', () => {
    const without = files.filter(({ path }) => path !== 'respond.ts' && !path.startsWith('testing/'))
    expect(unused(without)).toEqual(['respond.ts', 'testing/'])
  })

  test('a ring of type imports', () => {
    const texts = { 'table/a.ts': "import type { B } from './b.js'", 'table/b.ts': "export type { A } from './a.js'" }
    expect(rings(read(texts))).toEqual(['table/a.ts → table/b.ts → table/a.ts'])
  })

  test('an arrow back between folders whose files have no ring', () => {
    const texts = {
      'table/a.ts': "import '../schema/b.js'",
      'schema/b.ts': '',
      'schema/c.ts': "import '../table/d.js'",
      'table/d.ts': '',
    }
    expect(rings(read(texts))).toEqual([])
    expect(rings(folders(read(texts)))).toEqual(['table/ → schema/ → table/'])
  })

  test('a package, and one of the three in the wrong place', () => {
    const texts = { 'path/parse.ts': "import 'path-to-regexp'; import 'lodash'", 'table/row.ts': "import 'nanostores'" }
    expect(foreign(read(texts))).toEqual(['path/parse.ts → lodash', 'table/row.ts → nanostores'])
  })

  test('a computed import', () => {
    expect(foreign(read({ 'table/row.ts': 'import(name)' }))).toEqual(['table/row.ts → (computed)'])
  })

  test('files of unknown folders, files that are missing, and barrels', () => {
    const texts = { 'utils/a.ts': '', 'table/index.ts': "export * from './row.js'" }
    expect(unplaced(read(texts))).toEqual(['utils/a.ts'])
    expect(missing(read(texts))).toEqual(['table/index.ts → table/row.ts'])
    expect(barrels(read(texts))).toEqual(['table/index.ts'])
  })

  test.each([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'setTimeout(() => {}, 1)',
    'globalThis.setTimeout(() => {}, 1)',
    'const env = { setTimeout }',
    'startTimer(() => {}, 1)',
    'performance.now()',
    'navigator.onLine',
    'AbortSignal.timeout(5)',
    "eval('1')",
    "new Function('1')",
  ])('%s', (text) => {
    expect(readSourceFile('table/row.ts', text).forbidden).toHaveLength(1)
  })

  test.each([
    'env.setTimeout(() => {}, 1)',
    'interface Env { setTimeout(run: () => void): number; performance: number }',
    'new Date(text)',
    'Date.parse(text)',
    'Object.setPrototypeOf(a, Function.prototype)',
    '/** Date.now() */ const now = 1',
  ])('nothing in %s', (text) => {
    expect(readSourceFile('table/row.ts', text).forbidden).toEqual([])
  })

  test.each([
    'expect(performance.now() - start).toBeLessThan(5_000)',
    'expect(Date.now() - start < 50).toBe(true)',
    'const left = expiresAt - Date.now()',
    "test('is quick', { timeout: 5_000 }, () => {})",
    'await vi.waitFor(() => expect(seen).toBe(1))',
    'await vi.waitUntil(isDone, { timeout: 2_000 })',
    'await expect.poll(seen, { timeout: 2_000 }).toBe(1)',
    'page.setDefaultTimeout(30_000)',
    "import { screen } from '@testing-library/react'\nawait screen.findByText('Tea')",
  ])('what a clock decides: %s', (text) => {
    expect(decidedByClock(text)).toHaveLength(1)
  })

  test.each([
    // A busy machine waits longer, and none shorter.
    'expect(performance.now() - start).toBeGreaterThanOrEqual(75)',
    'await vi.waitFor(check, { timeout: HANGS })',
    "import { screen } from '@testing-library/react'\nconfigure({ asyncUtilTimeout: HANGS })\nawait screen.findByText('Tea')",
    'todos.extend({ timeout: 5_000 })',
  ])('nothing in %s', (text) => {
    expect(decidedByClock(text)).toEqual([])
  })

  test('each any', () => {
    expect(readSourceFile('a.ts', 'const a: any = 1 as any // any').anys).toBe(2)
  })
})
