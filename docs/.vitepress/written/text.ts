import { dialectLabel, isFramework, labels } from '../frameworks.js'
import { figure, tables } from './figures.js'
import { shownCode } from './snippet.js'
import { withSourceLinks } from './sources.js'

/** A table of figures, and its end; a figure within a sentence. */
const tableOpening = /^<!-- figures: ([\w-]+) -->$/
const tableClosing = '<!-- /figures -->'
const figureMark = /<!-- =([^>]+?) -->[^<]*<!-- \/ -->/g

/** A page as it should be, and what its author has to mend before it can be. */
export interface WrittenText {
  readonly text: string
  /** As in `12: docs/snippets/lists/ap.ts does not exist`. */
  readonly problems: readonly string[]
}

/** The line that begins a block of code: indentation, fence, language, snippet. */
const block = /^( *)(`{3,})(\w+) +@\/snippets\/(\S+) *$/
const bare = /^( *)<<< *@\/snippets\/([^\s{[]+) *$/

/** How a dialect begins: as authors may type it, or as it stands in a page. */
const opening = /^(?:::: *([a-z ]+?)|<!-- ::: ([a-z ]+) -->) *$/
const closing = /^(?::::|<!-- ::: -->) *$/
const label = new RegExp(`^\\*\\*(?:${Object.values(labels).join('|')})(?:, [\\w, ]+)?\\*\\*$`)

/**
 * Writes into the text of a page what is taken from elsewhere, so that it can be read wherever a Markdown file can: the
 * code of snippets, figures, and which framework a dialect is for. Also turns what authors type, `<<< @/snippets/…`,
 * `::: react` and links to the reference, into what stands in pages. A text that is right stays as it is.
 *
 * @param page - relative to the repository
 */
export function writtenText(source: string, page = 'docs/page.md'): WrittenText {
  const lines = source.split('\n')
  const out: string[] = []
  const problems: string[] = []
  /** The line that began the dialect. */
  let dialect: number | undefined

  const lineBreak = () => {
    if (out.length > 0 && out.at(-1) !== '') out.push('')
  }
  const problem = (at: number, text: string) => {
    problems.push(`${at + 1}: ${text}`)
  }
  /** @returns whether the code is there */
  const writeCode = (at: number, indent: string, snippet: string): boolean => {
    try {
      const { language, lines } = shownCode(snippet)
      const fence = fenceFor(lines)
      const code = [`${fence}${language} @/snippets/${snippet}`, ...lines, fence]
      out.push(...code.map((line) => (line === '' ? '' : indent + line)))
      return true
    } catch (error) {
      problem(at, (error as Error).message)
      return false
    }
  }

  const writeFigures = (at: number, line: string): string =>
    line.replace(figureMark, (whole, name: string) => {
      try {
        return `<!-- =${name} -->${figure(name)}<!-- / -->`
      } catch (error) {
        problem(at, (error as Error).message)
        return whole
      }
    })

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = /^ *(`{3,}|~{3,})/.exec(line)
    if (fence) {
      const end = endOf(lines, at, fence[1] ?? '')
      const [, indent = '', , , snippet] = block.exec(line) ?? []
      if (end === lines.length) problem(at, 'the fence is not closed')
      else if (/@\/snippets\//.test(line) && snippet === undefined) problem(at, `what is '${line.trim()}'?`)
      if (end === lines.length || snippet === undefined || !writeCode(at, indent, snippet))
        out.push(...lines.slice(at, end + 1))
      at = end
      continue
    }
    if (line.startsWith('<!--') && !line.includes('-->')) {
      const end = lines.findIndex((each, index) => index > at && each.includes('-->'))
      out.push(...lines.slice(at, end < 0 ? lines.length : end + 1))
      at = end < 0 ? lines.length : end
      continue
    }
    const [, indent = '', included] = bare.exec(line) ?? []
    if (included !== undefined) {
      if (!writeCode(at, indent, included)) out.push(line)
      continue
    }
    const [, tableName] = tableOpening.exec(line) ?? []
    if (tableName !== undefined) {
      const end = lines.indexOf(tableClosing, at)
      const shown = tables[tableName]?.()
      if (end < 0) problem(at, `'${line}' has no '${tableClosing}'`)
      if (shown === undefined) problem(at, `no table is called '${tableName}'`)
      if (end < 0 || shown === undefined) {
        out.push(line)
      } else {
        out.push(line, '', ...shown.split('\n'), '', tableClosing)
        at = end
      }
      continue
    }
    const names = namesOf(line)
    if (names) {
      if (dialect !== undefined) problem(at, `a dialect inside of the one of line ${dialect + 1}`)
      dialect = at
      lineBreak()
      out.push(`<!-- ::: ${names.join(' ')} -->`, dialectLabel(names), '')
      if (label.test(lines[at + 1]?.trim() ?? '')) at++
      while (lines[at + 1]?.trim() === '') at++
    } else if (dialect !== undefined && closing.test(line)) {
      dialect = undefined
      lineBreak()
      out.push('<!-- ::: -->')
      if ((lines[at + 1] ?? '').trim() !== '') out.push('')
    } else {
      out.push(withSourceLinks(writeFigures(at, line), page, (text) => problem(at, text)))
      if (/^ *<<</.test(line)) problem(at, `'${line.trim()}' shows no code: write '<<< @/snippets/FOLDER/FILE'`)
      if (/^ *(?:<!-- *)?:::/.test(line))
        problem(
          at,
          `'${line.trim()}' is read as text outside of the site: dialects are ${Object.keys(labels).join(', ')}; for a note write '> [!TIP]'`,
        )
    }
  }
  if (dialect !== undefined) problem(dialect, 'the dialect is not closed')
  return { text: out.join('\n'), problems }
}

/** The frameworks of a dialect that begins here. */
function namesOf(line: string) {
  const [, typed, written] = opening.exec(line) ?? []
  const names = (typed ?? written)?.trim().split(/ +/)
  return names?.every(isFramework) ? names : undefined
}

/** The line that ends the fence of a line, or the number of lines if none does. */
function endOf(lines: readonly string[], start: number, fence: string): number {
  const end = new RegExp(`^ *${fence[0]}{${fence.length},} *$`)
  for (let at = start + 1; at < lines.length; at++) if (end.test(lines[at] ?? '')) return at
  return lines.length
}

/** Longer than any fence in the code. */
function fenceFor(code: readonly string[]): string {
  const longest = Math.max(2, ...code.map((line) => /^ *(`{3,})/.exec(line)?.[1]?.length ?? 0))
  return '`'.repeat(longest + 1)
}
