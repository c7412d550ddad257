import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sidebar } from './navigation.js'
import { referenceLink } from './reference/links.js'

const docs = join(import.meta.dirname, '..')

/**
 * Writes the pages for readers that are programs: each page as Markdown next to its HTML, `llms.txt` (what is where,
 * with every exported name) and `llms-full.txt` (everything).
 */
export function writeForPrograms(folder: string, homepage: string, description: string): void {
  const pages = sidebar.flatMap(({ text: group, items = [] }) =>
    items.flatMap((item) => [item, ...(item.items ?? [])]).map(({ link = '' }) => readPage(group, link)),
  )
  for (const { file, text } of pages) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const groups = [...new Set(pages.map(({ group }) => group))].map((group) => {
    const lines = pages.filter((page) => page.group === group)
    return `## ${group}\n\n${lines.map(({ file, title, about }) => `- [${title}](${homepage}/${file})${about}`).join('\n')}\n`
  })
  writeFileSync(join(folder, 'llms.txt'), `# Roundtable\n\n> ${description}\n\n${groups.join('\n')}`)
  const all = pages.map(({ file, text }) => `<!-- ${homepage}/${file} -->\n\n${text}`)
  writeFileSync(join(folder, 'llms-full.txt'), all.join('\n'))
}

interface Page {
  readonly group: string
  /** Relative to the site, with its extension. */
  readonly file: string
  readonly title: string
  /** A colon and what is in it: of the reference the names, else the first sentence. */
  readonly about: string
  readonly text: string
}

function readPage(group: string, link: string): Page {
  const file = `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`
  const source = readFileSync(join(docs, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n+/, '')
  const text = source
    .replace(/^( *`{3,}\w+) @\/snippets\/.*$/gm, '$1')
    .replace(/^<!-- (?::::|figures:|\/figures).*-->\n+/gm, '')
    .replace(/<!-- (?:=[^>]+|\/) -->/g, '')
    .replace(/<p class="import"><code v-pre>(.*?)<\/code><\/p>/g, '`$1`')
    .replace(/<\/?(?:div|span)[^>]*>/g, '')
    .replace(/ \{#[\w.-]+\}$/gm, '')
    .replace(/\]\(([^)\s]+)\)/g, (link, href: string) => `](${referenceLink(href) ?? link.slice(2, -1)})`)
  const title = /^# (.*)$/m.exec(text)?.[1] ?? link
  const names = [...text.matchAll(/^## ([\w.]+)$/gm)].map(([, name]) => name)
  const first = /^# .*\n+([^\n#|`<:][\s\S]*?[.:])(?:\s|$)/.exec(text)?.[1]?.replace(/\s+/g, ' ')
  const about = link.startsWith('/reference/') ? names.join(', ') : (first?.replace(/:$/, '.') ?? '')
  return { group, file, title, about: about && `: ${about}`, text }
}
