import type { Tried } from './matcher.js'
import type { Template } from './template.js'

/** The params of a URL: those of its path and its search params, as text. A wildcard and a repeated name are arrays. */
export type UrlTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads the params from a URL that a template has filled: the inverse of its `fill` and `search`.
 *
 * @remarks
 * The URL starts with the path, without `urlPrefix`. As in `matches`, only the path decides whether the template matches:
 * the query may have any order, and all names that are not in the template are search params.
 *
 * @example
 * ```ts
 * readUrl(template('/users/:id{/:tab}'), '/users/5?page=2') // { id: '5', page: '2' }
 * readUrl(template('/users/:id'), '/todos/5') // undefined
 * ```
 */
export function readUrl(template: Template, url: string): UrlTexts | undefined {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const params = new Map<string, string | readonly string[]>()
  if (!readPath(template, path, params)) return undefined
  const search = new URLSearchParams(query)
  // With `?q=:query`, the `q` of the query is the param `query`.
  for (const [, name = '', sign, param = ''] of template.source.matchAll(inQuery)) {
    const text = search.get(name)
    search.delete(name)
    if (text !== null) params.set(param, sign === '*' ? text.split('/') : text)
  }
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name)
    if (!params.has(name)) params.set(name, values.length > 1 ? values : `${values[0]}`)
  }
  return Object.fromEntries(params)
}

/** Matches a param that is a whole value in the query of a template. */
const inQuery = /[?&{]([^?&={}:*]+)=([:*])"?((?:[^"{}&]|(?<=\\).)+)/g

/** Reads the values of the path. Those of other clients may contain characters that `fill` encodes, such as `@`. */
function readPath(template: Template, path: string, params: Map<string, string | readonly string[]>): boolean {
  const encoded = path.replace(/[^\w.!~*'()%/-]/g, encodeURIComponent)
  const values = valuesIn(template, path) ?? valuesIn(template, encoded)
  if (values === undefined) return false
  try {
    for (const [{ type, name }, text] of values) {
      // The group of the param was omitted.
      if (typeof text !== 'string') continue
      const value = type === 'wildcard' ? text.split('/').map(decodeURIComponent) : decodeURIComponent(text)
      // A repeated param has one value.
      if (`${params.get(name) ?? value}` !== `${value}`) return false
      params.set(name, value)
    }
    return true
  } catch {
    return false // a `%` that encodes nothing
  }
}

function valuesIn(template: Template, path: string): Tried | undefined {
  const values: Tried = new Map()
  return template.matches(path, values) ? values : undefined
}
