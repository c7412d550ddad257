import * as module from 'node:module'

interface Context {
  readonly parentURL?: string | undefined
}

type Resolve = (specifier: string, context: Context, next: (specifier: string, context: Context) => unknown) => unknown

let isDone = false

/**
 * Lets Hey API load the TypeScript on which this package depends. Its range includes 7, which has no compiler interface.
 *
 * @remarks
 * npm installs Hey API beside the TypeScript of the project, so its import is resolved from here.
 *
 * @example
 * ```ts
 * useOwnTypeScript()
 * await import('@hey-api/openapi-ts')
 * ```
 */
export function useOwnTypeScript(): void {
  if (isDone) return
  isDone = true
  const own = import.meta.url
  // Newer versions of Node run hooks in the same thread; older ones run them in another one, from a text.
  const { registerHooks } = module as { readonly registerHooks?: (hooks: { resolve: Resolve }) => void }
  if (registerHooks) registerHooks({ resolve: resolveFrom(own) })
  else {
    const code = `export const resolve = (${resolveFrom})(${JSON.stringify(own)})`
    module.register(`data:text/javascript,${encodeURIComponent(code)}`)
  }
}

/** Resolves imports. It is also used as text, so it must not refer to this module. */
function resolveFrom(own: string): Resolve {
  return (specifier, context, next) => {
    const isHeyApi = specifier === 'typescript' && /\/@hey-api\//.test(context.parentURL ?? '')
    return next(specifier, isHeyApi ? { ...context, parentURL: own } : context)
  }
}
