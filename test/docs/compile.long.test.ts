import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageFolders, readPages } from '../../docs/.vitepress/written/pages.js'
import { writeComments } from './comments.js'
import { parse } from './known-names.js'
import { writePage } from './page.js'
import { shownFiles, snippetFiles } from './snippets.js'
import { type Complaint, Workshop } from './workshop.js'

const root = join(import.meta.dirname, '../..')
const workshop = new Workshop()
let complaints: readonly Complaint[] = []

// — the pages —

for (const page of readPages) writePage(workshop, page)

// — the comments —

const packages = packageFolders.map((folder) => writeComments(workshop, folder))

/** The public members of the classes and interfaces of core, by their owners. */
const coreMembers = new Map(
  readdirSync(join(root, 'core/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => parse(file, readFileSync(join(root, 'core/src', file), 'utf8')).statements)
    .flatMap((node) =>
      (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name
        ? [
            [
              node.name.text,
              node.members.flatMap(({ name }) => (name && isPublicName(name) ? [name.getText()] : [])),
            ] as const,
          ]
        : [],
    ),
)

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
  test.each(readPages)('%s', (page) => {
    // What is generated may have types that nothing reads.
    expect(about(`${page}/`).filter((line) => !/\.gen\.ts:\d+: TS6133/.test(line))).toEqual([])
  })

  test.each(packages)('the examples in the comments of $folder', ({ folder }) => {
    expect(about(`comments/${folder}/`)).toEqual([])
  })
})

describe('leads only to files that exist', () => {
  test.each(readPages)('%s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    // Links from the root of the site lead to the reference, which is generated: building the site checks them.
    const links = [...text.matchAll(/\]\((?!https?:|\/)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([])
  })
})

test('docs/snippets has nothing that no page shows', () => {
  const shown = readPages.flatMap((page) => shownFiles(readFileSync(join(root, page), 'utf8')))
  const files = new Set(shown.map((each) => each.split('#')[0]))
  expect(
    snippetFiles().filter((file) => file !== 'tsconfig.json' && !file.endsWith('.gen.ts') && !files.has(file)),
  ).toEqual([])
})

describe('has an example in its comment', () => {
  /** A namespace, a mark that schemas return, and another name of ErrorBoundary. */
  const needNone = ['schema', 'INVALID', 'NetworkErrorBoundary']

  // What the compatibility package exports is written already.
  const written = packages.filter(({ folder }) => !folder.startsWith('compat/'))

  test.each(written)('every value that $folder exports', ({ names, examples }) => {
    const values = [...names].filter(([, { isType }]) => !isType).map(([value]) => value)
    const shown = new Set(examples.map(({ of }) => of.split('.')[0]))
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value) => !shown.has(value) && !needNone.includes(value))).toEqual([])
  })

  /**
   * Everything that people call or set: the methods of a controller, the static members of an entity, and the options
   * of endpoints, resources, lists and controllers. What adapters, merging and our own extensions call needs none.
   */
  test.each([
    // Former names lead to those of now.
    ['Controller', /^(?:rendersOnServer|constructor|query|queryOrError|select|batch|\[.*)$/],
    ['ControllerOptions', /^$/],
    ['RuntimeOptions', /^$/],
    ['EndpointOptions', /^$/],
    ['RestGenerics', /^(?:memberBody|args)$/],
    // One of two ways to say what `url` to `process` say.
    ['RestOptions', /^fetch$/],
    ['ResourceGenerics', /^urlPrefix$/],
    ['ResourceOptions', /^$/],
    ['CollectionOptions', /^$/],
    ['Entity', /^(?:mergeWithStore|mergeMetaWithStore|createIfValid|queryKey)$/],
  ])('every member of %s', (owner, needless) => {
    const members = coreMembers.get(owner) ?? []
    const shown = new Set(packages[0]?.examples.map(({ of }) => of))
    expect(members.length).toBeGreaterThan(0)
    expect(members.filter((name) => !shown.has(`${owner}.${name}`) && !needless.test(name))).toEqual([])
  })
})

function isPublicName(name: ts.PropertyName): boolean {
  return ts.isIdentifier(name) && !name.text.startsWith('_')
}

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
