import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Controller } from '@roundtable/core'
import { afterAll, describe, expect, test } from 'vitest'
import { exportedNames } from '../docs/known-names.js'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'codemods')
const fixtures = join(folder, 'fixtures')
const copy = mkdtempSync(join(tmpdir(), 'roundtable-codemods-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

interface File {
  readonly name: string
  readonly text: string
}
interface Rewritten extends File {
  readonly todos: readonly Message[]
  readonly notes: readonly Message[]
}
interface Message {
  readonly line: number
  readonly message: string
}
const { rewrite } = (await import(join(folder, 'run.mjs'))) as {
  rewrite(name: string, files: readonly File[]): readonly Rewritten[]
}
const filesOf = (sample: string): readonly File[] =>
  readdirSync(join(fixtures, sample)).map((name) => ({
    name,
    text: readFileSync(join(fixtures, sample, name), 'utf8'),
  }))
const textsOf = (files: readonly File[]) => Object.fromEntries(files.map(({ name, text }) => [name, text]))

/** The open samples hold what is not certain: their results have comments, and need not compile. */
describe.each([
  ['data-client', 'data-client'],
  ['data-client', 'data-client-open'],
  ['data-client-compat', 'data-client-compat'],
  ['data-client-compat', 'data-client-compat-open'],
  ['tanstack-query', 'tanstack-query'],
  ['tanstack-query', 'tanstack-query-open'],
  ['roundtable', 'roundtable'],
  ['roundtable', 'roundtable-open'],
])('the codemod %s on the sample %s', (name, sample) => {
  test('writes what is expected', () => {
    expect(textsOf(rewrite(name, filesOf(`${sample}/before`)))).toEqual(textsOf(filesOf(`${sample}/after`)))
  })

  test('changes nothing the second time', () => {
    expect(textsOf(rewrite(name, filesOf(`${sample}/after`)))).toEqual(textsOf(filesOf(`${sample}/after`)))
  })
})

test('what was rewritten to the compatibility package first is rewritten to the same code as data-client itself', () => {
  for (const sample of ['data-client', 'data-client-open']) {
    const compat = rewrite('data-client-compat', filesOf(`${sample}/before`))
    // What has no part in that package has a comment of its own, which goes with it.
    const files = compat.map(({ name, text }) => ({
      name,
      text: text.replace(/^.*has no part in the compatibility.*\n/gm, ''),
    }))
    const after = rewrite('data-client', files)
    // What stays is imported from where it was.
    const stays = after.map(({ name, text }) => ({
      name,
      text: text.replaceAll('@roundtable/compat-data-client/', '@data-client/'),
    }))
    expect(textsOf(stays)).toEqual(textsOf(filesOf(`${sample}/after`)))
    if (sample === 'data-client') expect(textsOf(after)).toEqual(textsOf(stays))
  }
})

test('the report names what has another meaning, and leaves it', () => {
  const list = rewrite('data-client', filesOf('data-client-open/before')).find(({ name }) => name === 'list.ts')
  expect(list?.notes.map(({ message }) => message)).toEqual([
    expect.stringContaining('a NetworkError has headers and body()'),
    expect.stringContaining('set calls the function also where there is no row'),
  ])
})

test('the report names what may be a method of a controller', () => {
  const other = rewrite('roundtable', filesOf('roundtable-open/before')).find(({ name }) => name === 'other.ts')
  expect(other?.notes.map(({ message }) => message)).toEqual([
    "select is view, if pageOf('todos') is a controller",
    'query is watch, if database is a controller',
  ])
})

test('the samples and their results compile', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', fixtures], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

test('a sample without uncertain places keeps nothing of the other library', () => {
  for (const sample of ['data-client/after', 'tanstack-query/after']) {
    const text = filesOf(sample).map((file) => file.text)
    expect(text.join('\n')).not.toMatch(/@data-client|@tanstack/)
  }
})

test('every name leads to one that is exported', async () => {
  const { modules } = (await import(join(folder, 'data-client.mjs'))) as {
    modules: Record<string, Record<string, readonly [module: string, name: string]>>
  }
  const testing = exportedNames(join(root, 'core/src/testing.ts'))
  const known: Record<string, ReadonlyMap<string, unknown>> = {
    '@roundtable/core': exportedNames(join(root, 'core/src/index.ts')),
    '@roundtable/react': exportedNames(join(root, 'adapters/react/src/index.ts')),
    '@roundtable/vue': exportedNames(join(root, 'adapters/vue/src/index.ts')),
    '@roundtable/core/testing': testing,
    '@roundtable/react/testing': new Map([...testing, ...exportedNames(join(root, 'adapters/react/src/testing.ts'))]),
    '@roundtable/vue/testing': new Map([...testing, ...exportedNames(join(root, 'adapters/vue/src/testing.ts'))]),
  }
  const targets = Object.values(modules).flatMap((names) => Object.values(names))
  expect(targets.length).toBeGreaterThan(100)
  expect(targets.filter(([module, name]) => !known[module]?.has(name))).toEqual([])
})

test('every former name of a method leads to one that the controller has', async () => {
  const { methods } = (await import(join(folder, 'roundtable.mjs'))) as { methods: Record<string, string> }
  for (const [former, name] of Object.entries(methods)) {
    expect(Object.getOwnPropertyDescriptor(Controller.prototype, former)?.get, former).toBeTypeOf('function')
    expect(Object.getOwnPropertyDescriptor(Controller.prototype, name)?.value, name).toBeTypeOf('function')
  }
})

describe('the command', () => {
  // As npx runs it: the packed files, called through a link in node_modules/.bin, beside what they depend on.
  const installed = join(copy, 'node_modules/@roundtable/codemods')
  const bin = join(copy, 'node_modules/.bin/codemods')
  mkdirSync(installed, { recursive: true })
  mkdirSync(join(copy, 'node_modules/.bin'))
  const packed = spawnSync('npm', ['pack', folder, '--json', '--silent'], { cwd: copy, encoding: 'utf8' })
  const [{ filename = '', files = [] } = {}] = JSON.parse(packed.stdout) as { filename: string; files: File[] }[]
  spawnSync('tar', ['-xzf', join(copy, filename), '-C', installed, '--strip-components=1'])
  symlinkSync(join(folder, 'node_modules'), join(installed, 'node_modules'), 'junction')
  symlinkSync(join(installed, 'run.mjs'), bin)
  const run = (...args: string[]) => spawnSync(process.execPath, [bin, ...args], { cwd: copy, encoding: 'utf8' })

  test('is a package with its program, and has the version of the others', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, 'core/package.json'), 'utf8')).version)
    expect(Object.values(manifest.bin)).toEqual(['run.mjs'])
    expect(readFileSync(join(installed, 'run.mjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(files.length).toBe(
      readdirSync(folder).filter((name) => /\.mjs$|^(?:package\.json|README\.md|LICENSE)$/.test(name)).length,
    )
  })

  test('rewrites a folder, and names what is left to do by file and line', () => {
    cpSync(join(fixtures, 'data-client/before'), join(copy, 'src'), { recursive: true })
    expect(run('data-client', 'src', '--dry').stdout).toContain('5 of 5 files changed, 1 comments')
    expect(readFileSync(join(copy, 'src/main.tsx'), 'utf8')).toContain('@data-client/react')

    const { stdout, status } = run('data-client', 'src')
    expect(status, stdout).toBe(0)
    expect(stdout).toContain('src/todo.ts:17: to do: without errorPolicy')
    expect(stdout).toContain('src/todo-list.tsx:36: note: useDLE')
    expect(stdout).toContain('src/todo-list.tsx:45: note: fetch resolves')
    expect(readFileSync(join(copy, 'src/main.tsx'), 'utf8')).toContain('<DataProvider>')
  })

  test('tells how it is called', () => {
    const { stderr, status } = run('redux')
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('data-client|data-client-compat|tanstack-query|roundtable FOLDER_OR_FILE'),
    ])
  })
})
