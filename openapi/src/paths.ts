import type { Operation } from './ir.js'

/**
 * Returns a path without a slash at its end, which some servers require.
 *
 * @example plainPath('/users/') // '/users'
 */
export function plainPath(path: string): string {
  return path.replace(/(?<=.)\/+$/, '')
}

/**
 * Returns the param at the end of a path, and the path before it; undefined if there is none.
 *
 * @example lastParam('/users/{user_id}') // { name: 'user_id', before: '/users' }
 */
export function lastParam(path: string): { readonly name: string; readonly before: string } | undefined {
  const [, before, name] = /^(.*)\/\{([^{}]+)\}$/.exec(plainPath(path)) ?? []
  return name === undefined || before === undefined ? undefined : { name, before }
}

/**
 * Returns the params of a path in order.
 *
 * @example paramsOf('/users/{id}/todos') // ['id']
 */
export function paramsOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
}

/**
 * Returns the path as a template, with some params renamed.
 *
 * @example templateOf('/users/{user_id}', new Map([['user_id', 'id']])) // '/users/:id'
 */
export function templateOf({ path }: Pick<Operation, 'path'>, renamed: ReadonlyMap<string, string>): string {
  return path
    .split(/(\{[^{}]+\})/)
    .map((part, i, parts) => {
      if (i % 2 === 0) return part.replace(/[{}()*:\\]/g, '\\$&')
      const name = renamed.get(part.slice(1, -1)) ?? part.slice(1, -1)
      const isIdentifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && !/^[\p{L}\p{N}_$]/u.test(parts[i + 1] ?? '')
      return isIdentifier ? `:${name}` : `:"${name.replace(/["\\]/g, '\\$&')}"`
    })
    .join('')
}
