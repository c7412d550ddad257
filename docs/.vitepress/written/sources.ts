import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The packages that have a page of the reference for themselves; core has all others. */
const packages = ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte', 'devtools', 'openapi']

const declaration =
  /^export (?:default )?(?:abstract )?(?:class|function|const|interface|type) (\w+)|^export \* as (\w+) from '(.+)\.js'/gm

/** A link to a name in the reference, as authors may type it, or to the source that declares it, as it stands in pages. */
const link =
  /\]\((?:\/reference\/([\w-]+)|[./]+\/((?:core|adapters\/\w+|devtools|openapi)\/src\/)[\w./-]+\.(?:ts|svelte))#([\w.]+)\)/g

let found: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined

/**
 * Makes links to names lead to the sources that declare them. The reference is generated: on a forge, in an editor and
 * in an archive there is none. On the site such a link leads to the reference.
 *
 * @param line - of a page, outside of code
 * @param page - relative to the repository
 * @param problem - is called for a name that no source declares
 */
export function withSourceLinks(line: string, page: string, problem: (text: string) => void): string {
  return line.replace(link, (whole, typed: string | undefined, written: string | undefined, name: string) => {
    const file = sourceOf(packageOf(typed, written), name)
    if (file === undefined) problem(`no source declares '${name}' of '${whole.slice(2, -1)}'`)
    return file === undefined ? whole : `](${relative(dirname(page), file)}#${name})`
  })
}

function packageOf(page = '', folder?: string): string {
  if (folder !== undefined) return folder.replace(/\/src\/$/, '')
  return packages.find((each) => each.split('/').at(-1) === page) ?? 'core'
}

/** The file that declares a name or a member of it, as `RestEndpoint.process`; relative to the repository. */
function sourceOf(folder: string, name: string): string | undefined {
  found ??= new Map(packages.map((each) => [each, declarationsOf(each)]))
  return found.get(folder)?.get(name.split('.')[0] ?? '')
}

function declarationsOf(folder: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const src = join(folder, 'src')
  for (const file of readdirSync(join(root, src), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts')) continue
    for (const [, name, namespace = '', module = ''] of readFileSync(join(root, src, file), 'utf8').matchAll(
      declaration,
    ))
      names.set(name ?? namespace, name === undefined ? join(src, dirname(file), `${module}.ts`) : join(src, file))
  }
  return names
}
