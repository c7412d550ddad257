import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snippetsOf } from './snippets.js'

const root = join(import.meta.dirname, '../..')

test('the guide to server rendering shows the files of the example that the browser tests open', () => {
  const examples = join(root, 'examples/ssr/own-server')
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  const page = readFileSync(join(root, 'docs/guides/server-rendering.md'), 'utf8')
  const shown = snippetsOf(page).filter(({ file }) => file !== undefined && files.includes(file))
  for (const { file = '', code } of shown)
    expect(code.slice(code.indexOf('\n') + 1), file).toBe(readFileSync(join(examples, file), 'utf8'))
  expect(shown).toHaveLength(12)
})
