import type { Model } from './ir.js'
import { useOwnTypeScript } from './own-typescript.js'

/** hey-api's model of a description, and the names of the written types. */
export interface HeyApi {
  readonly model: Model
  /** Returns the name of a component's type: `#/components/schemas/pet` is `Pet`. */
  schemaType(ref: string): string | undefined
  /** Returns the name of one of an operation's types. */
  operationType(id: string, role: 'data' | 'response' | 'responses'): string | undefined
}

/**
 * Lets hey-api read a description and write `types.gen.ts`. No other code here depends on hey-api.
 *
 * @example
 * ```ts
 * const { model } = await runHeyApi('openapi.json', 'src/api')
 * ```
 * @throws Error as hey-api throws it
 */
export async function runHeyApi(input: string, output: string): Promise<HeyApi> {
  useOwnTypeScript()
  const { createClient } = await import('@hey-api/openapi-ts')
  const [context] = await createClient({
    input,
    output: { path: output, clean: false, entryFile: false },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent', file: false },
    interactive: false,
  })
  if (!context) throw new Error(`hey-api has written nothing for ${input}`)
  const names = new Map<string, string>()
  for (const { meta, finalName } of context.gen.symbols.registered()) {
    if (meta?.resource) names.set(`${meta.resourceId} ${meta.role ?? ''}`, finalName)
  }
  return {
    // hey-api's own types are wider; `ir.ts` has the used parts.
    model: context.ir as unknown as Model,
    schemaType: (ref) => names.get(`${ref} `),
    operationType: (id, role) => names.get(`${id} ${role}`),
  }
}
