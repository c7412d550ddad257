import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folders = join(root, 'docs/snippets')

/** A piece of code in a page. */
export interface Snippet {
  readonly language: string
  readonly code: string
  /**
   * Its name in the page's folder: what its first line says, as in `// api.ts` or `<!-- todos.vue -->`, or the name of
   * the file in `docs/snippets`.
   */
  readonly file: string | undefined
  /** The line on which the code begins, from 1: of the page, or of the file. */
  readonly line: number
}

/**
 * The code that stands in a page alone, in its order, then the files of the folders of `docs/snippets` from which it
 * shows some.
 */
export function snippetsOf(page: string): readonly Snippet[] {
  const shown = new Set(shownFiles(page).map((file) => file.slice(0, file.indexOf('/'))))
  return [...fencedIn(page), ...[...shown].flatMap(filesOf)]
}

/** Everything in `docs/snippets` that is shown, relative to it; a `#region` follows the name. */
export function shownFiles(page: string): readonly string[] {
  return [...page.matchAll(/^ *`{3,}\w+ @\/snippets\/(\S+)$/gm)].map(([, file = '']) => file)
}

/** The files of a folder of `docs/snippets`, relative to that. */
export function snippetFiles(folder = ''): readonly string[] {
  const files = readdirSync(join(folders, folder), { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile()).map((file) => relative(folders, join(file.parentPath, file.name)))
}

function filesOf(folder: string): readonly Snippet[] {
  return snippetFiles(folder).map((path) => {
    const code = readFileSync(join(folders, path), 'utf8')
    return { language: path.slice(path.lastIndexOf('.') + 1), code, file: path.slice(folder.length + 1), line: 1 }
  })
}

function fencedIn(page: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  const lines = page.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)(`{3,})(\w+)( @\/snippets\/)?/.exec(lines[i] ?? '')
    if (fence === null) continue
    const [, indent = '', marks = '', language = '', isFile] = fence
    const start = i + 1
    while (++i < lines.length && lines[i]?.trim() !== marks);
    if (isFile) continue
    const code = lines.slice(start, i).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    snippets.push({ language, code: `${code.join('\n')}\n`, file: fileOf(code[0]), line: start + 1 })
  }
  return snippets
}

function fileOf(line: string | undefined): string | undefined {
  return /^(?:\/\/|<!--) ([\w./[\]()+-]+\.(?:tsx?|vue|svelte))(?: -->|:|$)/.exec(line ?? '')?.[1]
}
