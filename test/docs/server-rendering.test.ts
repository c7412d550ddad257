import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snippetsOf } from './snippets.js'

const root = join(import.meta.dirname, '../..')

test.each([
  ['server-rendering', 'own-server', 12],
  ['next', 'next', 18],
  ['react-router', 'react-router', 15],
  ['nuxt', 'nuxt', 11],
  ['sveltekit', 'sveltekit', 18],
])('the guide %s shows files of examples/ssr/%s, which npm run test:ssr builds and opens', (guide, example, count) => {
  const folder = join(root, 'examples/ssr', example)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  const page = readFileSync(join(root, `docs/guides/${guide}.md`), 'utf8')
  const shown = snippetsOf(page).filter(({ file }) => file !== undefined && files.includes(file))
  for (const { file = '', code } of shown)
    expect(code.slice(code.indexOf('\n') + 1), file).toBe(readFileSync(join(folder, file), 'utf8'))
  expect(shown).toHaveLength(count)
})
