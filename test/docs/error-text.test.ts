import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snippetFiles } from './snippets.js'

const root = join(import.meta.dirname, '../../docs/snippets')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('what users read about an error is one text on all pages', () => {
  const copies = snippetFiles().filter((file) => file.endsWith('/error-text.ts'))
  const all = new Set(copies.map(read))
  expect([all.size, [...all][0]]).toEqual([1, read('errors/error-text.ts')])
})

test('no component shows the message of an error to users', () => {
  const components = snippetFiles().filter((file) => /\.(?:tsx|vue|svelte)$/.test(file) && !file.includes('.test.'))
  expect(components.filter((file) => /\berror(?:\.current)?\)?\??\.message\b/i.test(read(file)))).toEqual([])
})
