/** A piece of code in a page. */
export interface Snippet {
  readonly language: string
  readonly code: string
  /** The file that its first line names, as in `// api.ts` or `<!-- todos.vue -->`; undefined if none. */
  readonly file: string | undefined
  /** The line of the page on which the code begins, from 1. */
  readonly line: number
}

/** The code between fences in a page, in its order. */
export function snippetsOf(page: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  const lines = page.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)```(\w+)/.exec(lines[i] ?? '')
    if (fence === null) continue
    const [, indent = '', language = ''] = fence
    const start = i + 1
    while (++i < lines.length && lines[i]?.trim() !== '```');
    const code = lines.slice(start, i).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    snippets.push({ language, code: `${code.join('\n')}\n`, file: fileOf(code[0]), line: start + 1 })
  }
  return snippets
}

function fileOf(line: string | undefined): string | undefined {
  return /^(?:\/\/|<!--) ([\w./-]+\.(?:tsx?|vue|svelte))(?: -->|:|$)/.exec(line ?? '')?.[1]
}
