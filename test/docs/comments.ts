import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { importsFor, type Shelf } from './complete.js'
import { type CommentExample, examplesIn } from './js-doc.js'
import { type ExportedNames, exportedNames } from './known-names.js'
import type { Workshop } from './workshop.js'

const root = join(import.meta.dirname, '../..')

/** A package by its folder: the names that it exports, and the examples in its comments. */
export interface CommentedPackage {
  readonly folder: string
  readonly names: ExportedNames
  readonly examples: readonly CommentExample[]
}

/**
 * Writes the examples in the comments of a package as files of the folder `comments`, with the imports that they leave
 * out.
 */
export function writeComments(workshop: Workshop, folder: string): CommentedPackage {
  const src = join(root, folder, 'src')
  const entries = entriesOf(folder)
  const names = new Map(entries.flatMap(([, exported]) => [...exported]))
  const shelf = shelfOf(folder, entries)
  const examples: CommentExample[] = []
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    for (const example of examplesIn(file, readFileSync(join(src, file), 'utf8'), names)) {
      examples.push(example)
      const name = `${file.replaceAll(/[^\w]/g, '-')}-${example.of}.${example.language}`
      workshop.write(join('comments', folder, name), completed(example, shelf), example.line)
    }
  }
  return { folder, names, examples }
}

/** The entry points of a package, by the names under which they are imported. */
function entriesOf(folder: string): readonly (readonly [name: string, exported: ExportedNames])[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly exports: { readonly [path: string]: { readonly '@roundtable/source'?: string } }
  }
  return Object.entries(exports).flatMap(([path, { '@roundtable/source': file }]) =>
    file === undefined ? [] : [[name + path.slice(1), exportedNames(join(root, folder, file))] as const],
  )
}

function shelfOf(folder: string, entries: ReturnType<typeof entriesOf>): Shelf {
  const prelude = (file: string) =>
    [
      join(root, 'test/docs/prelude', file.replace(/tsx?$/, 'js')),
      exportedNames(join(root, 'test/docs/prelude', file)),
    ] as const
  const framework = { react: 'react.tsx', 'data-client': 'react.tsx', vue: 'vue.ts', svelte: 'svelte.ts' }[
    basename(folder)
  ]
  return [
    ...entries,
    ...(folder === 'core' ? [] : entriesOf('core')),
    ...(framework === undefined ? [] : [prelude(framework)]),
    prelude('todos.ts'),
  ]
}

/** The example as a whole file. Imports stand behind it, so that its lines stay where they are. */
function completed({ language, code }: CommentExample, shelf: Shelf): string {
  if (language === 'vue' || language === 'svelte') return completedComponent(language, code, shelf)
  const imports = `${importsFor(code, code, shelf)}\nexport {}\n`
  // A part of a component.
  return /^(?:if \(.*\) )?return /m.test(code)
    ? `export function Example() { ${code}}\n${imports}`
    : `${code}${imports}`
}

function completedComponent(language: 'vue' | 'svelte', code: string, shelf: Shelf): string {
  const tag = language === 'vue' ? '<script setup lang="ts">' : '<script lang="ts">'
  if (code.includes(tag)) return code.replace(tag, `${tag} ${importsFor(code, '', shelf)}`)
  const template = language === 'vue' ? `<template>${code}</template>` : code
  return `${template}\n${tag}\n${importsFor(code, '', shelf)}\n</script>\n`
}
