import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sitePages } from './pages.js'

const root = join(import.meta.dirname, '../..')

test('there is a page for each code of an error and no other, and the list of codes has them all', () => {
  const src = join(root, 'core/src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const text = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n')
  const codes = [...text.matchAll(/\bcode: string = '(\w+)'/g)].map(([, code = '']) => code)
  expect(codes).toContain('URL_PARAM')
  const shown = sitePages.flatMap((page) => /^errors\/([A-Z_]+)\.md$/.exec(page)?.[1] ?? [])
  expect([...shown].sort()).toEqual([...codes].sort())
  const list = readFileSync(join(root, 'docs/errors/index.md'), 'utf8')
  expect(codes.filter((code) => !list.includes(`[${code}](${code}.md)`))).toEqual([])
})
