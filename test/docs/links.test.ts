import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPages } from '../../docs/.vitepress/written/pages.js'

const root = join(import.meta.dirname, '../..')

const others = [
  'devtools/README.md',
  'openapi/README.md',
  'compat/data-client/README.md',
  'codemods/README.md',
  'benchmarks/README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
]

test.each([...readPages, ...others])('every link and image of %s leads to a file of the repository', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/^( *)(`{3,})[\s\S]*?^\1\2$|`[^`\n]*`/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, html]) => link ?? html ?? '',
  )
  const dead = links.filter((link) => {
    const [file = ''] = link.split('#')
    return !/^(?:https?:|#)/.test(link) && (link.startsWith('/') || !existsSync(join(root, dirname(page), file)))
  })
  expect(dead).toEqual([])
})
