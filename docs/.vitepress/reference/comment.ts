/** A JSDoc comment, taken apart. */
export interface Comment {
  /** Everything before the first tag, then the remarks. */
  readonly text: string
  readonly defaultValue: string | undefined
  readonly returns: string | undefined
  readonly throws: readonly string[]
  readonly params: readonly string[]
  readonly examples: readonly Example[]
}

/** Code, and what is said before it. */
export interface Example {
  readonly words: string
  readonly language: string
  readonly code: string
}

/** Reads the text between `/**` and its end. Tags inside code, such as `@click` of a template, are not tags. */
export function readComment(raw: string): Comment {
  const lines = raw
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
  const parts: { tag: string; lines: string[] }[] = [{ tag: '', lines: [] }]
  let isCode = false
  for (const line of lines) {
    if (line.startsWith('```')) isCode = !isCode
    const tag = isCode ? null : /^\s*@([a-z]+)(?:\s|$)(.*)$/.exec(line)
    if (tag) parts.push({ tag: tag[1] ?? '', lines: [tag[2] ?? ''] })
    else parts.at(-1)?.lines.push(line)
  }
  const all = (tag: string) => parts.filter((part) => part.tag === tag).map((part) => part.lines.join('\n').trim())
  return {
    text: [...all(''), ...all('remarks')].filter(Boolean).join('\n\n'),
    defaultValue: all('default')[0],
    returns: all('returns')[0],
    throws: all('throws'),
    params: all('param'),
    examples: all('example').map(exampleOf),
  }
}

function exampleOf(text: string): Example {
  const fence = /^([\s\S]*?)```(\w+)\n([\s\S]*?)\n?```$/.exec(text)
  if (!fence) return { words: '', language: 'ts', code: text }
  const [, words = '', language = 'ts', code = ''] = fence
  return { words: words.trim(), language, code }
}
