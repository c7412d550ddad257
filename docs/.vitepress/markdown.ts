import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { isFramework } from './frameworks.js'
import type { TypeHover } from './types/hover.js'

type Token = ReturnType<MarkdownRenderer['parse']>[number]
interface Env {
  readonly path?: string
}

/** What our pages have besides VitePress' Markdown. CONTRIBUTING.md describes it for authors. */
export function roundtableMarkdown(md: MarkdownRenderer, repository: string, types: TypeHover): void {
  dialects(md)
  fileNames(md, types)
  repositoryLinks(md, repository)
}

/** `::: react`, `::: vue svelte`: what readers of these frameworks see. Containers that follow each other are alternatives. */
function dialects(md: MarkdownRenderer): void {
  md.block.ruler.before('fence', 'dialect', (state, startLine, endLine, silent) => {
    const opening = /^(:{3,}) *([a-z ]+)$/.exec(lineOf(state, startLine))
    const names = opening?.[2]?.trim().split(/ +/) ?? []
    if (!opening || !names.every(isFramework)) return false
    if (silent) return true
    const marker = opening[1] ?? ''
    let end = startLine + 1
    while (end < endLine && lineOf(state, end) !== marker) end++
    if (end === endLine) throw new Error(`${state.env.path}: '${opening[0]}' is not closed`)

    const { parentType, lineMax } = state
    const before = state.tokens.length
    state.push('dialect_open', 'div', 1).attrs = [['class', `dialect ${names.join(' ')}`]]
    state.lineMax = end
    state.md.block.tokenize(state, startLine + 1, end)
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

/** Code that is a file has its name above it: of `<<<` the file's, else what the first line says, as in `// api.ts`. */
function fileNames(md: MarkdownRenderer, types: TypeHover): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index] as Token & { src?: readonly [file: string, part: string] }
    let name = token.src && !token.src[1] ? /\[(.+)\]/.exec(token.info)?.[1] : undefined
    const [first = '', ...rest] = token.content.split('\n')
    const named = /^(?:\/\/|<!--) ([\w./-]+\.\w+)(?: -->)?$/.exec(first)
    if (named) {
      name = named[1]
      token.content = rest.join('\n')
    }
    const html = types.during(token.src, () => fence?.(tokens, index, options, env, self)) ?? ''
    if (name === undefined || isInCodeGroup(tokens, index)) return html
    return `<div class="file"><div class="file-name">${md.utils.escapeHtml(name)}</div>${html}</div>\n`
  }
}

function isInCodeGroup(tokens: readonly Token[], index: number): boolean {
  const around = tokens.slice(0, index).filter(({ type }) => type.startsWith('container_code-group'))
  return around.at(-1)?.type === 'container_code-group_open'
}

/** A relative link to a file outside `docs` works on GitHub; on the site it leads there. So do links in parts of the README. */
function repositoryLinks(md: MarkdownRenderer, repository: string): void {
  const docs = join(import.meta.dirname, '..')
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { path = '' } = env as Env
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const href = link.type === 'link_open' ? link.attrGet('href') : null
      if (href === null || /^(?:[a-z]+:|[#/])/.test(href)) continue
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
