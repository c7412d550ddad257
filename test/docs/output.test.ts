import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { settle } from '@roundtable/core/testing'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { sitePages } from '../../docs/.vitepress/written/pages.js'
import { openPage } from './run-page.js'
import { type Snippet, snippetsOf } from './snippets.js'
import { todoService } from './todo-service.js'

/** Scripts that print nothing run too; elsewhere they may be parts of an application. */
const allScripts = ['core/README.md', 'docs/start/script.md', 'docs/guides/pages.md', 'docs/guides/live.md']
const pages = [
  'core/README.md',
  'core/skills/optimistic-lists/SKILL.md',
  ...sitePages.map((page) => join('docs', page)),
]
  .map((name) => ({ name, scripts: scriptsOf(name) }))
  .filter(({ scripts }) => scripts.length > 0)

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe.each(pages)('$name', ({ name, scripts }) => {
  const page = openPage(name)
  afterAll(() => page.close())
  test.each(scripts)('$file prints its output', async ({ file = '', code }) => {
    const printed: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...args) => printed.push(format(...args)))
    vi.stubGlobal('fetch', todoService().fetch)
    await page.load(file)
    // A reset or an expiry fetches once frameworks have rendered, which is a few timers later.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
    await settle()
    expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line))
  })
})

function scriptsOf(page: string): readonly Snippet[] {
  const snippets = snippetsOf(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'))
  const scripts = snippets.filter(({ language, file = '.test.' }) => language === 'ts' && !/\.test\./.test(file))
  return scripts.filter(({ code }) => allScripts.includes(page) || /\/\/ → /.test(code))
}
