import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Writes the examples in the comments of a package as files of the folder `comments`, with the imports that they leave out. */
export function writeComments(workshop: Workshop, folder: string): CommentedPackage {
  const src = join(root, folder, 'src')
  const index = exportedNames(join(src, 'index.ts'))
  const testing = exportedNames(join(src, 'testing.ts'))
  const names = new Map([...index, ...testing])
  const shelf = shelfOf(folder, index, testing)
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

function shelfOf(folder: string, index: ExportedNames, testing: ExportedNames): Shelf {
  const name = folder.replace('adapters/', '')
  const prelude = (file: string) =>
    [
      join(root, 'test/docs/prelude', file.replace(/tsx?$/, 'js')),
      exportedNames(join(root, 'test/docs/prelude', file)),
    ] as const
  return [
    [`@roundtable/${name}`, index],
    [`@roundtable/${name}/testing`, testing],
    ['@roundtable/core', exportedNames(join(root, 'core/src/index.ts'))],
    ['@roundtable/core/testing', exportedNames(join(root, 'core/src/testing.ts'))],
    ...(name === 'core' ? [] : [prelude(name === 'react' ? 'react.tsx' : `${name}.ts`)]),
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
