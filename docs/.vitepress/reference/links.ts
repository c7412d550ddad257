import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../reference')

const source = /^[./]+\/(core|adapters\/(\w+)|(devtools|openapi))\/src\/[\w./-]+#([\w.]+)$/

let pages: ReadonlyMap<string, ReadonlySet<string>> | undefined

/**
 * Where the reference has what a link names that leads to a source: `../../core/src/util/errors.ts#TimeoutError` is
 * `/reference/errors#TimeoutError`.
 *
 * @returns undefined for another link
 * @throws Error if the reference does not have it
 */
export function referenceLink(href: string): string | undefined {
  const [, , adapter, other, name = ''] = source.exec(href) ?? []
  if (name === '') return undefined
  pages ??= readPages()
  const own = adapter ?? other
  const others = /^(?:react|vue|svelte|devtools|openapi)$/
  for (const [page, names] of pages) {
    if (names.has(name) && (own === undefined ? !others.test(page) : page === own)) return `/reference/${page}#${name}`
  }
  throw new Error(`The reference has no '${name}', to which '${href}' leads`)
}

/** The anchors of each page. */
function readPages(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    readdirSync(folder).map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const names = [...text.matchAll(/\{#([\w.]+)\}|<span id="([\w.]+)">/g)].map(
        ([, heading, span]) => heading ?? span ?? '',
      )
      return [file.replace(/\.md$/, ''), new Set(names)] as const
    }),
  )
}
