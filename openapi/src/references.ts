import { dirname, join } from 'node:path'
import { DescriptionError, type Place } from './description-error.js'
import { isObject } from './json.js'
import { namesOf, pointerOf } from './pointer.js'
import { isAddress, readText } from './read-text.js'

/** A file and its content. */
interface Source {
  readonly file: string
  readonly document: unknown
}

/**
 * Finds broken and circular references in a description and in the files to which it refers.
 *
 * @example
 * ```ts
 * await checkReferences({ $ref: '#/nowhere' }, 'openapi.json') // [{ at: 'openapi.json#/$ref', message: '…' }]
 * ```
 */
export async function checkReferences(document: unknown, file: string): Promise<Place[]> {
  const places: Place[] = []
  const sources = new Map<string, Source>([[file, { file, document }]])
  // Iterating over a Map includes files that are added meanwhile.
  for (const source of sources.values()) {
    for (const { path, ref } of referencesIn(source)) {
      const at = `${source.file}${pointerOf([...path, '$ref'])}`
      const message = await follow(ref, source, sources)
      if (message !== undefined) places.push({ at, message })
    }
  }
  return places
}

interface Reference {
  readonly path: readonly (string | number)[]
  readonly ref: string
}

function referencesIn({ file, document }: Source): readonly Reference[] {
  const references: Reference[] = []
  const above = new Set<object>()
  const seen = new Set<object>()
  visit(document, [])
  return references

  function visit(value: unknown, path: readonly (string | number)[]): void {
    if (typeof value !== 'object' || value === null) return
    // With YAML aliases, one object may occur in several places, even within itself.
    if (above.has(value)) {
      const message = 'contains itself by an alias of YAML: use a $ref'
      throw new DescriptionError([{ at: `${file}${pointerOf(path)}`, message }])
    }
    if (seen.has(value)) return
    seen.add(value)
    above.add(value)
    if (Array.isArray(value)) value.forEach((item, i) => void visit(item, [...path, i]))
    else if (isObject(value)) {
      if (typeof value.$ref === 'string') references.push({ path, ref: value.$ref })
      for (const [name, member] of Object.entries(value)) visit(member, [...path, name])
    }
    above.delete(value)
  }
}

/** Follows a reference through others to its end. @returns the problem, if there is one */
async function follow(ref: string, from: Source, sources: Map<string, Source>): Promise<string | undefined> {
  const met = new Set<string>()
  let source = from
  for (let next = ref; ; ) {
    const [file = '', pointer = ''] = next.split('#')
    if (file !== '') {
      const other = await sourceOf(file, source, sources)
      if (typeof other === 'string') return other
      source = other
    }
    const place = `${source.file}#${pointer}`
    if (met.has(place)) return `'${ref}' leads in a circle`
    met.add(place)
    const value = valueAt(source.document, pointer)
    if (value === undefined) return `there is no '${next}'`
    if (!isObject(value) || typeof value.$ref !== 'string') return undefined
    next = value.$ref
  }
}

async function sourceOf(file: string, from: Source, sources: Map<string, Source>): Promise<Source | string> {
  const path = isAddress(file)
    ? file
    : isAddress(from.file)
      ? new URL(file, from.file).href
      : join(dirname(from.file), file)
  const cached = sources.get(path)
  if (cached) return cached
  try {
    const source = { file: path, document: await readText(path) }
    sources.set(path, source)
    return source
  } catch (error) {
    return (error as Error).message
  }
}

function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const name of namesOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    // An array or an object from a parsed text.
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
