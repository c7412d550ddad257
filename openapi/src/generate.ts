import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Description, methods, readDescription } from './description.js'
import { DescriptionError, type Place } from './description-error.js'
import { runHeyApi } from './hey-api.js'
import type { Model, Operation } from './ir.js'
import { isObject } from './json.js'
import { findRows, type KindOptions } from './kinds.js'
import { moduleText, type Server, serverOf } from './module.js'
import { Names } from './names.js'
import { writeOperations } from './operations.js'
import { pointerOf } from './pointer.js'
import { isAddress } from './read-text.js'
import { Report } from './report.js'
import { Schemas } from './schemas.js'
import { Shapes } from './shape.js'

/** The options of `generate`. */
export interface GenerateOptions extends KindOptions {
  /**
   * The description: a file or an address, JSON or YAML.
   *
   * @example 'openapi.json'
   */
  readonly input: string
  /**
   * The folder for `types.gen.ts` and `roundtable.gen.ts`. Other files in it stay.
   *
   * @example 'src/api'
   */
  readonly output: string
  /**
   * The address of the server.
   *
   * @default the first server of the description
   */
  readonly baseUrl?: string | undefined
  /**
   * True to show fields of rows with the format `date-time` as a `Date`.
   *
   * @default false
   */
  readonly dates?: boolean | undefined
}

/** The result of `generate`. */
export interface Generated {
  /** The written files. */
  readonly files: readonly string[]
  /** The number of operations. */
  readonly operations: number
  /** The names of the kinds of rows. */
  readonly kinds: readonly string[]
  /** The parts that stayed plain, with the reasons and their places in the description. */
  readonly report: readonly Place[]
}

/**
 * Writes the endpoints, entities and lists of an OpenAPI description as TypeScript, with the types of everything in it.
 *
 * @example
 * ```ts
 * const { report } = await generate({ input: 'openapi.json', output: 'src/api' })
 * for (const { at, message } of report) console.warn(at, message)
 * ```
 * @throws DescriptionError if the description cannot be read, or has references that lead nowhere
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { input, output, baseUrl, dates = false } = options
  const description = await readDescription(input)
  const report = new Report(input)
  const heyApi = await runHeyApi(isAddress(input) ? input : resolve(input), output).catch((cause: Error) => {
    throw new DescriptionError([{ at: input, message: reasonOf(cause) }], { cause })
  })
  noteDoubles(description, report)
  const { model } = heyApi
  const operations = operationsOf(model)
  const schemas = new Schemas(model.components?.schemas)
  const names = new Names()
  const typeOf = (component: string) =>
    heyApi.schemaType(`#/components/schemas/${component}`) ??
    heyApi.schemaType(pointerOf(['components', 'schemas', component]))
  const rows = findRows({ operations, schemas, options, report, names, typeOf })
  const shapes = new Shapes({ rows, schemas, report, dates, typeOf })
  const nestedFields = (operation: Operation) => nestedFieldsOf(description, operation)
  const written = writeOperations({ operations, rows, schemas, shapes, report, names, heyApi, nestedFields })
  const text = moduleText({
    rows,
    schemas,
    shapes,
    written,
    names,
    urlPrefix: baseUrl?.replace(/\/+$/, '') ?? serverOf(serversOf(description), input),
  })
  const file = join(output, 'roundtable.gen.ts')
  await mkdir(output, { recursive: true })
  await writeIfNew(file, text)
  return {
    files: [join(output, 'types.gen.ts'), file],
    operations: operations.length,
    kinds: [...new Set([...rows.values()].map(({ kind }) => kind.key))],
    report: report.places,
  }
}

/** Returns the original error, around which hey-api wraps its own errors. */
function reasonOf(error: Error): string {
  const inner = (error as { readonly originalError?: { readonly error?: Error } }).originalError?.error ?? error.cause
  return inner instanceof Error ? reasonOf(inner) : `cannot be read (${error.message || error.name})`
}

function operationsOf({ paths = {} }: Model): readonly Operation[] {
  return Object.values(paths).flatMap((item) =>
    // hey-api has created the operations, with these fields.
    methods.flatMap((method) => (isObject(item[method]) ? [item[method] as unknown as Operation] : [])),
  )
}

/** Returns the servers of the description itself, since hey-api guesses servers if there are none. */
function serversOf({ document: { servers } }: Description): readonly Server[] {
  return Array.isArray(servers) ? servers.filter((server) => isObject(server) && typeof server.url === 'string') : []
}

/** Reports operations with the same id, whose names then differ by a number. */
function noteDoubles({ document }: Description, report: Report): void {
  const seen = new Map<string, string>()
  for (const [path, item] of Object.entries(document.paths as Readonly<Record<string, unknown>>)) {
    for (const method of methods) {
      const operation = isObject(item) ? item[method] : undefined
      const id = isObject(operation) ? operation.operationId : undefined
      if (typeof id !== 'string') continue
      const first = seen.get(id)
      const place = pointerOf(['paths', path, method])
      if (first === undefined) seen.set(id, place)
      else
        report.note(
          ['paths', path, method, 'operationId'],
          `is '${id}', as that of ${first}: its constant has another name`,
        )
    }
  }
}

/** Returns the fields of a form that its encoding writes with brackets, since hey-api's model omits encodings. */
function nestedFieldsOf({ document }: Description, { path, method }: Operation): readonly string[] {
  let value: unknown = document.paths
  for (const name of [path, method, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'encoding']) {
    value = isObject(value) ? value[name] : undefined
  }
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, encoding]) =>
    isObject(encoding) && encoding.style === 'deepObject' ? [name] : [],
  )
}

/** Writes a file only if its text has changed, so that file watchers are not triggered. */
async function writeIfNew(file: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before !== text) await writeFile(file, text)
}
