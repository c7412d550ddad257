import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const snippets = join(import.meta.dirname, '../../snippets')

/** The file of a block and, after `#`, the part of it that is shown. */
const name = /^([\w./+-]+?)(?:#([\w-]+))?$/

/** A line that begins or ends a part of a file. No page shows it. */
const mark = /^\s*(?:\/\/|<!--) ?#(?:end)?region\b/

export interface ShownCode {
  readonly language: string
  readonly lines: readonly string[]
}

/**
 * What a page shows of a snippet. A whole file has its name in its first line, so that it is read everywhere; a part
 * has the indentation taken away that all its lines have.
 *
 * @param snippet - relative to the folder, as `lists/api.ts` or `lists/api.ts#read`
 * @param folder - `docs/snippets`
 * @throws Error if there is no such file, or no such part of it, or if the file says its name itself
 */
export function shownCode(snippet: string, folder = snippets): ShownCode {
  const [, file = '', part] = name.exec(snippet) ?? []
  const path = join(folder, file)
  if (file === '' || !existsSync(path)) throw new Error(`docs/snippets/${snippet} does not exist`)
  const language = file.slice(file.lastIndexOf('.') + 1)
  const all = readFileSync(path, 'utf8').trimEnd().split('\n')
  const title = titleOf(basename(file), language)
  if (all[0] === title) throw new Error(`docs/snippets/${file} begins with its name, which pages add`)
  if (part === undefined) return { language, lines: [title, ...withoutMarks(all)] }
  return { language, lines: dedented(withoutMarks(partOf(all, part, file))) }
}

function titleOf(file: string, language: string): string {
  return /^(?:vue|svelte|html)$/.test(language) ? `<!-- ${file} -->` : `// ${file}`
}

function partOf(lines: readonly string[], part: string, file: string): readonly string[] {
  const begin = lines.findIndex((line) => mark.test(line) && new RegExp(`#region ${part}(?![\\w-])`).test(line))
  const end = lines.findIndex((line) => mark.test(line) && new RegExp(`#endregion ${part}(?![\\w-])`).test(line))
  if (begin < 0) throw new Error(`docs/snippets/${file} has no '#region ${part}'`)
  if (end < begin) throw new Error(`docs/snippets/${file} has no '#endregion ${part}' after its '#region ${part}'`)
  return lines.slice(begin + 1, end)
}

function withoutMarks(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !mark.test(line))
}

function dedented(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const common = Math.min(...indents)
  return lines.map((line) => line.slice(common))
}
