import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { importsFor, type Shelf } from './complete.js'
import { exportedNames } from './known-names.js'
import { type Snippet, snippetsOf } from './snippets.js'
import type { Workshop } from './workshop.js'

const root = join(import.meta.dirname, '../..')

/** The languages that are compiled, and those that are not ours to compile. */
const compiled = ['ts', 'tsx', 'vue', 'svelte']
const others = ['yaml', 'sh', 'html', 'json', 'text']

/**
 * Writes the snippets of a page as files of a folder that has the page's name. Short ones get the imports that they
 * leave out.
 */
export function writePage(workshop: Workshop, page: string): void {
  const snippets = snippetsOf(readFileSync(join(root, page), 'utf8'))
  const written = new Set<string>()
  for (const snippet of snippets) {
    const { language, line } = snippet
    // Configurations of bundlers are run by `npm run test:packages`.
    if (others.includes(language) || snippet.file?.endsWith('.config.js')) continue
    const at = `${page}:${line}`
    if (!compiled.includes(language)) throw new Error(`${at} is in a language that nobody checks: '${language}'`)
    const file = snippet.file ?? `line-${line}.${language}`
    if (!file.endsWith(`.${language}`)) throw new Error(`${at} says ${file}, which is not ${language}`)
    if (written.has(file)) throw new Error(`${at} is a second ${file}`)
    written.add(file)
    // Frameworks that are not installed here: `npm run test:ssr` compiles their examples.
    if (existsSync(join(root, 'examples/ssr', basename(page, '.md'), file))) continue
    workshop.write(join(page, file), snippet.code + missingImports(page, snippet, snippets), line)
  }
}

function missingImports(page: string, { language, code }: Snippet, all: readonly Snippet[]): string {
  if (!language.startsWith('ts') || /^import /m.test(code)) return ''
  return importsFor(code, code, [...ownModules(all), ...librariesOf(page)])
}

/** The files that the page has shown. */
function ownModules(all: readonly Snippet[]): Shelf {
  return all.flatMap(({ file, code }) => {
    if (!file?.endsWith('.ts')) return []
    return [[`./${file.replace(/ts$/, 'js')}`, exportedNames(file, code)] as const]
  })
}

function librariesOf(page: string): Shelf {
  const name = basename(page, '.md')
  const names = (source: string) => exportedNames(join(root, source))
  const core = ['@roundtable/core', names('core/src/index.ts')] as const
  const testing = ['@roundtable/core/testing', names('core/src/testing.ts')] as const
  const hydration = ['@roundtable/core/hydration', names('core/src/hydration.ts')] as const
  const prelude = [join(root, 'test/docs/prelude/todos.js'), names('test/docs/prelude/todos.ts')] as const
  if (!['react', 'vue', 'svelte'].includes(name)) return [core, hydration, testing, prelude]
  return [[`@roundtable/${name}`, names(`adapters/${name}/src/index.ts`)], core, testing, prelude]
}
