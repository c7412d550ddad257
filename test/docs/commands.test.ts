import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPages } from '../../docs/.vitepress/written/pages.js'

const root = join(import.meta.dirname, '../..')

/**
 * What npm installs to run it once, and the flag without which it asks before that: where nobody can answer, npm ends
 * with an error. What is installed asks nothing.
 */
const once = /^npm (?:create|init) (?!-y$)|^npx (?!tsx |vitest |roundtable-(?:check|openapi) )/

test('no command that a page shows asks anything', () => {
  const asking = [...readPages, 'codemods/README.md'].flatMap((page) => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)
    const lines = [...blocks].flatMap(([, code = '']) => code.split('\n').map((line) => line.trim()))
    const wrong = lines.filter((line) => once.test(line) && !/^(?:npm create|npx) --yes /.test(line))
    return wrong.map((line) => `${page}: ${line}`)
  })
  expect(asking).toEqual([])
})
