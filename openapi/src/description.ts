import { DescriptionError, type Place } from './description-error.js'
import { isObject, type JsonObject } from './json.js'
import { pointerOf } from './pointer.js'
import { readText } from './read-text.js'
import { checkReferences } from './references.js'

/** An OpenAPI description and its file. */
export interface Description {
  /** The file or the address, as passed in. */
  readonly file: string
  readonly document: JsonObject
}

/**
 * Reads an OpenAPI description, 3.0 or 3.1, as JSON or YAML, and checks that all its references can be resolved.
 *
 * @example
 * ```ts
 * const { document } = await readDescription('openapi.json')
 * ```
 * @throws DescriptionError with each mistake that makes it impossible to go on
 */
export async function readDescription(file: string): Promise<Description> {
  const document = await readText(file)
  checkKind(document, file)
  const mistakes = [...operationMistakes(document, file), ...(await checkReferences(document, file))]
  if (mistakes.length > 0) throw new DescriptionError(mistakes)
  return { file, document }
}

function checkKind(document: unknown, file: string): asserts document is JsonObject {
  const fail = (message: string, pointer = '#'): never => {
    throw new DescriptionError([{ at: `${file}${pointer}`, message }])
  }
  if (!isObject(document)) fail('is not an OpenAPI description, which is an object')
  const { openapi, swagger, paths } = document as JsonObject
  if (swagger !== undefined) {
    fail(
      `is Swagger ${swagger}, and OpenAPI 3.0 or 3.1 is needed: convert it, with swagger2openapi for example`,
      '#/swagger',
    )
  }
  if (openapi === undefined) fail('is not an OpenAPI description: it has no field `openapi`')
  // YAML parses an unquoted 3.0 as a number.
  if (!/^3(?:\.[01](?:\.|$)|$)/.test(`${openapi}`)) fail(`is OpenAPI ${openapi}, and 3.0 or 3.1 is needed`, '#/openapi')
  if (!isObject(paths)) fail('has no paths, so there is nothing to write', '#/paths')
}

/** The methods that a path may have. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Finds invalid paths and operations. */
function operationMistakes({ paths }: JsonObject, file: string): Place[] {
  const mistakes: Place[] = []
  for (const [path, item] of Object.entries(paths as JsonObject)) {
    if (path.startsWith('x-')) continue
    const at = (...names: string[]) => `${file}${pointerOf(['paths', path, ...names])}`
    if (!path.startsWith('/')) mistakes.push({ at: at(), message: 'a path begins with /' })
    if (!isObject(item)) mistakes.push({ at: at(), message: 'a path is an object with operations' })
    else
      for (const method of methods) {
        if (method in item && !isObject(item[method])) {
          mistakes.push({ at: at(method), message: 'an operation is an object' })
        }
      }
  }
  return mistakes
}
