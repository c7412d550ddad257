import type { Token } from 'path-to-regexp'
import { OptionError } from '../util/errors.js'
import { isParam, type Param, type WrittenValues } from './matcher.js'
import type { Template } from './template.js'

/** The params of a URL: those of its path and its search params, as text. A wildcard and a repeated name are arrays. */
export type UrlTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Makes the function that reads the params out of a URL: the inverse of `fill` and `search` of a template.
 *
 * @remarks
 * The URL begins with the path, without `urlPrefix`. What the template does not name is a search param; its query may be in any order.
 * The result is undefined for a URL that the template could not have been filled to.
 *
 * @example
 * ```ts
 * const read = reader(template('/users/:id{/:tab}'))
 * read('/users/5?page=2') // { id: '5', page: '2' }
 * read('/todos/5') // undefined
 * ```
 * @throws OptionError for a template whose query cannot be read: a param that is a name there, or only a part of a value.
 */
export function reader(template: Template): (url: string) => UrlTexts | undefined {
  const pairs = pairsOf(template)
  return (url) => {
    const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
    const params = new Map<string, string | readonly string[]>()
    const search = new URLSearchParams(query)
    if (!readPath(template, path, params) || !pairs.every((pair) => readPair(pair, search, params))) return undefined
    for (const name of search.keys()) {
      const values = search.getAll(name)
      if (!template.names.has(name)) params.set(name, values.length > 1 ? values : (values[0] as string))
    }
    return Object.fromEntries(params)
  }
}

type Params = Map<string, string | readonly string[]>

/** Reads the values of the path. Those of a foreign client may have characters that `fill` encodes, such as `@`. */
function readPath(template: Template, path: string, params: Params): boolean {
  const values: WrittenValues = new Map()
  const encoded = path.replace(/[^\w.!~*'()%/-]/g, encodeURIComponent)
  if (!template.matches(path, values) && !template.matches(encoded, values)) return false
  try {
    for (const [{ type, name }, text] of values) {
      const value = type === 'wildcard' ? text.split('/').map(decodeURIComponent) : decodeURIComponent(text)
      // A param that occurs twice has one value.
      if (`${params.get(name) ?? value}` !== `${value}`) return false
      params.set(name, value)
    }
    return true
  } catch {
    return false // a `%` that encodes nothing
  }
}

// --- the query of a template

/** `name=:param` or `name=text` in the query of a template. */
interface Pair {
  readonly name: string
  readonly value: Param | string
  /** True in a group, which is left out without its params. */
  readonly isOptional: boolean
}

function readPair({ name, value, isOptional }: Pair, search: URLSearchParams, params: Params): boolean {
  const found = search.getAll(name)
  const isFound = typeof value === 'string' ? found.includes(value) : found.length > 0
  if (isFound && typeof value === 'object') {
    const [text = ''] = found
    params.set(value.name, value.type === 'wildcard' ? text.split('/') : text)
  }
  if (isFound) search.delete(name)
  return isFound || isOptional
}

function pairsOf({ tokens, source }: Template): readonly Pair[] {
  const pieces = piecesOf(tokens, false)
  const start = pieces.findIndex(({ token }) => typeof token === 'string' && token.includes('?'))
  if (start < 0) return []
  const pairs: Pair[] = []
  let text = ''
  let param: Piece<Param> | undefined
  const end = (): void => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)/s.exec(text) ?? []
    if (param !== undefined && (value !== '' || !text.endsWith('='))) refuse(source, param.token)
    const [[read, literal] = ['', '']] = new URLSearchParams(`${name}=${value}`)
    if (param) pairs.push({ name: read, value: param.token, isOptional: param.isOptional })
    else if (text !== '') pairs.push({ name: read, value: literal, isOptional: false })
    text = ''
    param = undefined
  }
  for (const [i, { token, isOptional }] of pieces.slice(start).entries()) {
    if (typeof token === 'object') {
      if (param) refuse(source, token)
      param = { token, isOptional }
      continue
    }
    const [first = '', ...others] = (i === 0 ? token.slice(token.indexOf('?') + 1) : token).split('&')
    if (param && first !== '') refuse(source, param.token)
    text += first
    for (const next of others) {
      end()
      text = next
    }
  }
  end()
  return pairs
}

function refuse(source: string, { name }: Param): never {
  const reason = `of '${source}' cannot be read back: in its query '${name}' must be a whole value, as in '?${name}=:${name}'.`
  throw new OptionError('path', reason, { template: source })
}

/** A text or a param of a template without its groups. */
interface Piece<Of = Param | string> {
  readonly token: Of
  readonly isOptional: boolean
}

function piecesOf(tokens: readonly Token[], isOptional: boolean): readonly Piece[] {
  return tokens.flatMap((token): readonly Piece[] => {
    if (token.type === 'text') return [{ token: token.value, isOptional }]
    return token.type === 'group'
      ? piecesOf(token.tokens, isOptional || token.tokens.some(isParam))
      : [{ token, isOptional }]
  })
}
