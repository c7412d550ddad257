import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

/** The names of the constants that a written module exports. */
export function exportsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^export const ([\p{L}\p{N}_$]+) =/gmu)].map(([, name = '']) => name))
}

/** The ids of a description's operations, as hey-api makes identifiers of them. */
export function operationIds(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const { paths } = load(text) as { readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>> }
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => ('operationId' in operation ? [camelCase(`${operation.operationId}`)] : []))
}

function camelCase(id: string): string {
  const joined = id.replace(/[^\p{L}\p{N}]+(.)?/gu, (_, next: string = '') => next.toUpperCase())
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}
