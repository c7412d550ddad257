import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** An entry point of a package: how it is imported, and its source. */
export interface EntryFile {
  readonly module: string
  readonly file: string
}

/** The entry points of all packages, core's first. */
export function entryFiles(): readonly EntryFile[] {
  const adapters = readdirSync(join(root, 'adapters')).map((name) => join('adapters', name))
  const folders = ['core', ...adapters, 'devtools', 'openapi'].filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  )
  return folders.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly exports: { readonly [path: string]: { readonly '@roundtable/source'?: string } }
    }
    return Object.entries(exports).flatMap(([path, { '@roundtable/source': source }]) =>
      source === undefined ? [] : [{ module: name + path.slice(1), file: join(root, folder, source) }],
    )
  })
}

/**
 * The page of an entry point: core's others have one each, those of another package share one. Core's main one has
 * several.
 */
export function pageOfModule(module: string): string | undefined {
  const [, name = '', entry] = module.split('/')
  return name === 'core' ? entry : name
}
