import { OptionError } from '../util/errors.js'

/** `:name` or, of type 'wildcard', `*name`. */
export interface Param {
  readonly type: 'param' | 'wildcard'
  readonly name: string
}

/** What a template is made of: literal text, params, and groups of these. */
export type Token =
  | { readonly type: 'text'; readonly value: string }
  | Param
  | { readonly type: 'group'; readonly tokens: readonly Token[] }

/** An escaped character; a param with its name, which may be quoted; a brace; text; and what cannot be there. */
const parts =
  /\\(.)|([:*])(?:([$_\p{ID_Start}](?:[$\p{ID_Continue}]|\u200c|\u200d)*)|"((?:\\.|[^\\"])+)")|([{}])|[^\\:*{}()]+|(.)/gsu

/**
 * Reads a path template.
 *
 * @remarks
 * The syntax is that of path-to-regexp 8, but for `? + ! [ ]`, which are literal.
 *
 * @example
 * ```ts
 * parse('/users/:id') // [{ type: 'text', value: '/users/' }, { type: 'param', name: 'id' }]
 * ```
 * @throws OptionError with the position of what cannot be read
 */
export function parse(source: string): readonly Token[] {
  const around: Token[][] = []
  let tokens: Token[] = []
  let text = ''
  const add = (...more: Token[]): void => {
    if (text !== '') tokens.push({ type: 'text', value: text })
    text = ''
    tokens.push(...more)
  }
  for (const { index, 0: all, 1: escaped, 2: sign, 3: name, 4: quoted = '', 5: brace, 6: wrong } of source.matchAll(
    parts,
  )) {
    if (wrong !== undefined) throw unreadable(source, index, wrong)
    if (sign !== undefined)
      add({ type: sign === ':' ? 'param' : 'wildcard', name: name ?? quoted.replace(/\\(.)/gs, '$1') })
    else if (brace === '{') {
      const inner: Token[] = []
      add({ type: 'group', tokens: inner })
      around.push(tokens)
      tokens = inner
    } else if (brace !== undefined) {
      add()
      const outer = around.pop()
      if (outer === undefined) throw unreadable(source, index, brace)
      tokens = outer
    } else text += escaped ?? all
  }
  add()
  if (around.length > 0) throw unreadable(source, source.length, 'end')
  return tokens
}

/** A sign stands in a wrong place, or something is missing behind it. */
function unreadable(source: string, at: number, sign: string): OptionError {
  const position = /[\\:*]/.test(sign) ? at + 1 : at
  if (process.env.NODE_ENV === 'production') {
    return new OptionError('path', `'${source}' cannot be read at position ${position}.`, {
      template: source,
      position,
    })
  }
  const [, host, rest] = /^((?:[a-z][\w+.-]*:\/\/[^/]*|[\w.-]+:\d+(?=\/|$)))(.*)/is.exec(source) ?? []
  if (host !== undefined) {
    const prefix = host.includes('//') ? host : `http://${host}`
    const reason = `'${source}' has a host, which belongs into urlPrefix: { urlPrefix: '${prefix}', path: '${rest}' }.`
    return new OptionError('path', reason, { template: source, position: 0 })
  }
  const isQuoted = /^.""?/s.exec(source.slice(at))?.[0].length === 2
  const missing = isQuoted ? 'Unterminated quote' : 'Missing parameter name'
  const what = sign === '\\' ? 'Unexpected end after \\' : /[:*]/.test(sign) ? missing : `Unexpected ${sign}`
  const reason = `cannot be read: ${what} at position ${position} of '${source}'. A character with a meaning needs a backslash to be literal.`
  return new OptionError('path', reason, { template: source, position })
}
