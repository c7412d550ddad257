import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeComments } from './comments.js'
import { writePage } from './page.js'
import { type Complaint, Workshop } from './workshop.js'

const root = join(import.meta.dirname, '../..')
const workshop = new Workshop()
let complaints: readonly Complaint[] = []

// — the pages —

const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
const guides = docs.map((file) => join('docs', file)).filter((file) => file.endsWith('.md'))
const folders = ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte']
const pages = ['README.md', ...guides, ...folders.map((folder) => join(folder, 'README.md'))]
for (const page of pages) writePage(workshop, page)

// — the comments —

const packages = folders.map((folder) => writeComments(workshop, folder))

// — what must be found —

workshop.write(
  'wrong/code.ts',
  "import { Entity } from '@roundtable/core'\nexport const title: string = Entity.key.length\n",
)
workshop.write(
  'wrong/react.tsx',
  "import { useDLE } from '@roundtable/react'\nexport const A = () => <p>{useDLE(5)}</p>\n",
)
workshop.write(
  'wrong/vue.vue',
  '<script setup lang="ts">\nconst n = 5\n</script>\n<template>{{ n.title }}</template>\n',
)
workshop.write('wrong/svelte.svelte', '<script lang="ts">\n  const n = 5\n</script>\n\n{n.title}\n')

beforeAll(async () => {
  complaints = await workshop.complaints()
})
afterAll(() => workshop.remove())

test.each([
  ['code.ts', 2],
  ['react.tsx', 2],
  ['vue.vue', 4],
  ['svelte.svelte', 5],
])('a mistake in %s is found', (file, line) => {
  expect(about(`wrong/${file}`)).toContainEqual(expect.stringContaining(`wrong/${file}:${line}: `))
})

describe('compiles', () => {
  test.each(pages)('%s', (page) => {
    expect(about(`${page}/`)).toEqual([])
  })

  test.each(packages)('the examples in the comments of $folder', ({ folder }) => {
    expect(about(`comments/${folder}/`)).toEqual([])
  })
})

describe('leads only to files that exist', () => {
  test.each(pages)('%s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([])
  })
})

describe('has an example in its comment', () => {
  /** A namespace, a mark that schemas return, and another name of ErrorBoundary. */
  const needNone = ['schema', 'INVALID', 'NetworkErrorBoundary']

  test.each(packages)('every value that $folder exports', ({ names, examples }) => {
    const values = [...names].filter(([, { isType }]) => !isType).map(([value]) => value)
    const shown = new Set(examples.map(({ of }) => of.split('.')[0]))
    expect(values.length).toBeGreaterThan(10)
    expect(values.filter((value) => !shown.has(value) && !needNone.includes(value))).toEqual([])
  })
})

function about(start: string): readonly string[] {
  const found = complaints.filter(({ file, message }) => file.startsWith(start) && !(isPart(file) && isUnused(message)))
  return found.map(({ file, line, message }) => `${file}:${line}: ${message}`)
}

/** Examples in comments, and code that is no file, go on elsewhere. */
function isPart(file: string): boolean {
  return file.startsWith('comments/') || /\/line-\d+\.\w+$/.test(file)
}

function isUnused(message: string): boolean {
  return /^TS(?:6133|6192|6196|6198):/.test(message)
}
