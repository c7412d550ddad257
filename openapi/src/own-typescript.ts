import * as module from 'node:module'

interface Context {
  readonly parentURL?: string | undefined
}

type Resolve = (specifier: string, context: Context, next: (specifier: string, context: Context) => unknown) => unknown

let isDone = false

/**
 * Has Hey API load the TypeScript that this package depends on: it takes 7 too, as npm sees it, and 7 has no compiler interface.
 *
 * @remarks
 * npm puts Hey API beside the TypeScript of the project, so what it imports is resolved from here.
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
  // Newer versions of Node run hooks at once; older ones run them in a thread of their own, from a text.
  const { registerHooks } = module as { readonly registerHooks?: (hooks: { resolve: Resolve }) => void }
  if (registerHooks) registerHooks({ resolve: resolveFrom(own) })
  else {
    const code = `export const resolve = (${resolveFrom})(${JSON.stringify(own)})`
    module.register(`data:text/javascript,${encodeURIComponent(code)}`)
  }
}

/** It is also read as text, so it knows nothing of this module. */
function resolveFrom(own: string): Resolve {
  return (specifier, context, next) => {
    const isHeyApi = specifier === 'typescript' && /\/@hey-api\//.test(context.parentURL ?? '')
    return next(specifier, isHeyApi ? { ...context, parentURL: own } : context)
  }
}
