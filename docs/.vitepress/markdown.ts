import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { dialectLabel, isFramework } from './frameworks.js'
import { referenceLink } from './reference/links.js'
import type { TypeHover } from './types/hover.js'

const docs = join(import.meta.dirname, '..')

type Token = ReturnType<MarkdownRenderer['parse']>[number]
interface Env {
  readonly path?: string
}

/** What our pages have besides VitePress' Markdown. CONTRIBUTING.md describes it for authors. */
export function roundtableMarkdown(md: MarkdownRenderer, repository: string, types: TypeHover): void {
  dialects(md)
  fileNames(md, types)
  demos(md)
  repositoryLinks(md, repository)
}

/**
 * `<!-- ::: react -->`, `<!-- ::: vue svelte -->`: what readers of these frameworks see. Those that follow each other
 * are alternatives. The label in the next line is for where nobody can choose, as on a forge: `npm run docs:write`
 * writes it.
 */
function dialects(md: MarkdownRenderer): void {
  md.block.ruler.before('fence', 'dialect', (state, startLine, endLine, silent) => {
    const opening = /^<!-- ::: ([a-z ]+) -->$/.exec(lineOf(state, startLine))
    const names = opening?.[1]?.split(' ') ?? []
    if (!opening || !names.every(isFramework)) return false
    if (silent) return true
    let end = startLine + 1
    while (end < endLine && lineOf(state, end) !== '<!-- ::: -->') end++
    if (end === endLine) throw new Error(`${state.env.path}: '${opening[0]}' is not closed`)
    const isLabelled = lineOf(state, startLine + 1) === dialectLabel(names)

    const { parentType, lineMax } = state
    const before = state.tokens.length
    state.push('dialect_open', 'div', 1).attrs = [['class', `dialect ${names.join(' ')}`]]
    state.lineMax = end
    state.md.block.tokenize(state, startLine + (isLabelled ? 2 : 1), end)
    state.parentType = parentType
    state.lineMax = lineMax
    state.push('dialect_close', 'div', -1)
    state.line = end + 1
    const heading = state.tokens.slice(before).find(({ type }) => type === 'heading_open')
    // Anchors and the outline are the same in all dialects.
    if (heading) throw new Error(`${state.env.path}: a heading inside '${opening[0]}'. Put it before the container.`)
    return true
  })
}

type BlockRule = Parameters<MarkdownRenderer['block']['ruler']['before']>[2]

function lineOf(state: Parameters<BlockRule>[0], line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()
}

/** Code whose first line is the name of a file, as `// api.ts`, has the name above it. What is a snippet knows its types. */
function fileNames(md: MarkdownRenderer, types: TypeHover): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index] as Token
    const [, language, file = '', part = ''] = /^(\w+) @\/(snippets\/[^#]+)#?(.*)$/.exec(token.info.trim()) ?? []
    if (language) token.info = language
    const [first = '', ...rest] = token.content.split('\n')
    const name = /^(?:\/\/|<!--) ([\w./-]+\.\w+)(?: -->)?$/.exec(first)?.[1]
    if (name) token.content = rest.join('\n')
    const shown = language ? ([join(docs, file), part] as const) : undefined
    const html = types.during(shown, () => fence?.(tokens, index, options, env, self)) ?? ''
    if (name === undefined) return html
    return `<div class="file"><div class="file-name">${md.utils.escapeHtml(name)}</div>${html}</div>\n`
  }
}

/**
 * `<SameEdit />` is the component docs/demos/same-edit.vue. The page need not import it: forges show the text of a
 * script, and leave out elements that they do not know.
 */
function demos(md: MarkdownRenderer): void {
  const files = new Map(
    readdirSync(join(docs, 'demos')).flatMap((file) =>
      file.endsWith('.vue') ? [[pascalCase(basename(file, '.vue')), file] as const] : [],
    ),
  )
  md.core.ruler.push('demos', (state) => {
    const names = state.tokens.flatMap(({ type, content }) =>
      type === 'html_block' ? [...content.matchAll(/<([A-Z]\w+)/g)].map(([, name = '']) => name) : [],
    )
    const imports = [...new Set(names)].flatMap((name) => {
      const file = files.get(name)
      return file === undefined ? [] : [`import ${name} from ${JSON.stringify(join(docs, 'demos', file))}`]
    })
    if (imports.length === 0) return
    const script = new state.Token('html_block', '', 0)
    script.content = `<script setup>\n${imports.join('\n')}\n</script>\n`
    state.tokens.push(script)
  })
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
}

/**
 * A relative link to a file outside `docs` works on GitHub; on the site it leads there. So do links in parts of the
 * README. A link to the source that declares a name leads to the reference.
 */
function repositoryLinks(md: MarkdownRenderer, repository: string): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { path = '' } = env as Env
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const href = link.type === 'link_open' ? link.attrGet('href') : null
      if (href === null || /^(?:[a-z]+:|[#/])/.test(href)) continue
      const reference = referenceLink(href)
      if (reference !== undefined) {
        link.attrSet('href', reference)
        continue
      }
      const [file = '', hash] = href.split('#')
      if (existsSync(join(dirname(path), file)) && !relative(docs, join(dirname(path), file)).startsWith('..')) continue
      const target = [dirname(path), dirname(docs)].map((folder) => join(folder, file)).find((each) => existsSync(each))
      if (target === undefined) continue
      const place = hash === undefined ? '' : `#${hash}`
      const onSite = relative(docs, target)
      const inRepository = relative(dirname(docs), target)
      link.attrSet(
        'href',
        onSite.startsWith('..') ? `${repository}/blob/main/${inRepository}${place}` : `/${onSite}${place}`,
      )
    }
  })
}
