import { pageOfModule } from './packages.js'
import type { EntryPoint, Exported } from './read.js'

/** A page of the reference. */
export interface ReferencePage {
  /** Its address below `/reference/`. */
  readonly path: string
  readonly title: string
  readonly intro: string
  readonly sections: readonly { readonly module: string; readonly exports: readonly Exported[] }[]
}

/**
 * Core has too many exports for one page: they are divided by the folders of their sources. The first that matches
 * counts.
 */
const coreParts = [
  { path: 'errors', title: 'Errors', files: /\/util\/errors\.ts$|\/network-error\.ts$/ },
  { path: 'types', title: 'Types', files: /\/(?:schema\/(?:infer|schema)|rest\/generics|path\/\w+)\.ts$/ },
  {
    path: 'schemas',
    title: 'Schemas',
    files: /\/(?:schema|selections|schemas|normalize|lists)\b|\/client\/plain\.ts$/,
  },
  { path: 'endpoints', title: 'Endpoints', files: /\/(?:endpoint|rest|engine|util\/transfer)\b/ },
  { path: 'controller', title: 'Controller', files: /./ },
]

const intros: Readonly<Record<string, string>> = {
  controller: 'The store of an application: what reads, writes, observes and expires data.',
  endpoints: 'Functions that know how to make a request, what its response contains, and how long it is fresh.',
  schemas:
    'What a response contains: entities, lists, maps, unions, and values computed from them. [Schema kinds](../guides/schema-kinds.md) has an example of each.',
  errors: 'The classes of errors. [Errors by code](../errors/index.md) has the cause and the remedy of each.',
  types: 'Types that follow from endpoints, paths and schemas.',
}

/** Options whose names are found by more readers than those of the types around them. */
const stays = /^(?:RestOptions|RestGenerics)$/

/** The pages, in the order of the navigation. */
export function referencePages(entries: readonly EntryPoint[]): readonly ReferencePage[] {
  const pages = new Map<string, { title: string; sections: { module: string; exports: readonly Exported[] }[] }>()
  const add = (path: string, title: string, module: string, exports: readonly Exported[]): void => {
    const page = pages.get(path) ?? { title, sections: [] }
    page.sections.push({ module, exports })
    pages.set(path, page)
  }
  const order = ['controller', 'endpoints', 'schemas', 'errors', 'types']
  for (const { module, exports } of entries) {
    const own = pageOfModule(module)
    if (own === undefined) {
      for (const path of order) {
        const { title = '' } = coreParts.find((part) => part.path === path) ?? {}
        add(
          path,
          title,
          module,
          exports.filter((each) => partOf(each) === path),
        )
      }
    } else {
      add(own, module.startsWith('@roundtable/core/') ? module : `@roundtable/${own}`, module, exports)
    }
  }
  return [...pages].map(([path, page]) => ({ path, ...page, intro: intros[path] ?? '' }))
}

function partOf({ name, file }: Exported): string {
  if (stays.test(name)) return 'endpoints'
  // What reads of HTTP's types are called belongs with the types of endpoints; options and classes come before.
  return coreParts.find(({ files }) => files.test(file.replace(/^core\/src/, '')))?.path ?? 'controller'
}
