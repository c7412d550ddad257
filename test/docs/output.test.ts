import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { settle } from '@roundtable/core/testing'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openPage } from './run-page.js'
import { snippetsOf } from './snippets.js'
import { todoService } from './todo-service.js'

const guides = ['lists-and-optimistic-changes', 'nested-data', 'pagination', 'freshness-and-errors', 'live-data']
const pages = ['core/README.md', 'docs/scripts.md', ...guides.map((name) => `docs/guides/${name}.md`)]

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe.each(pages)('%s', (name) => {
  const page = openPage(name)
  afterAll(() => page.close())
  const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
  const scripts = snippetsOf(text).filter(({ language, file }) => language === 'ts' && file && !/\.test\./.test(file))

  test.each(scripts)('$file prints its output', async ({ file = '', code }) => {
    const printed: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...args) => printed.push(format(...args)))
    vi.stubGlobal('fetch', todoService().fetch)
    await page.load(file)
    await settle()
    expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line))
  })
})
