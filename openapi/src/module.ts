import { helpersFor } from './helpers.js'
import type { Kind, Row } from './kinds.js'
import { memberName, type Names, quoted } from './names.js'
import type { Role, Written } from './operations.js'
import { lastParam, paramsOf } from './paths.js'
import { isAddress } from './read-text.js'
import type { Schemas } from './schemas.js'
import type { Shapes } from './shape.js'

interface Context {
  readonly rows: ReadonlyMap<string, Row>
  readonly schemas: Schemas
  readonly shapes: Shapes
  readonly written: readonly Written[]
  readonly urlPrefix: string
  readonly names: Names
}

/** Returns the text of `roundtable.gen.ts`. */
export function moduleText(context: Context): string {
  const rows = [...context.rows.values()]
  const bases = new Map(
    [...new Set(rows.map(({ kind }) => kind))]
      .filter((kind) => kind.rows.length > 1)
      .map((kind) => [kind, context.names.unique(`${wordOf(kind.key)}Kind`, '_')] as const),
  )
  const classes = [
    ...[...bases].map(([kind, name]) => baseText(kind, name)),
    ...rows.map((row) => classText(row, context, bases.get(row.kind))),
  ]
  const endpoints = context.written.map(endpointText)
  const resources = resourceTexts(context)
  const body = [...classes, ...endpoints, ...resources].join('\n\n')
  const helpers = helpersFor(body)
  const all = [...helpers, body].join('\n\n')
  const used = ['Collection', 'Entity', 'Invalidate', 'RestEndpoint', 'Union', 'Values'].filter((name) =>
    new RegExp(`\\bextends ${name}\\b|\\bnew ${name}\\(`).test(all),
  )
  const types = ['RestGenerics', 'SchemaContract']
    .filter((name) => new RegExp(`\\b${name}\\b`).test(all))
    .map((name) => `type ${name}`)
  const imports = [...used, ...types].sort((a, b) => (a.replace('type ', '') < b.replace('type ', '') ? -1 : 1))
  return `// Written by @roundtable/openapi: changes are lost when it is written again.
/* eslint-disable */
import { ${imports.join(', ')} } from '@roundtable/core'
import type * as T from './types.gen.js'

const urlPrefix = ${quoted(context.urlPrefix)}

${all}
`
}

/**
 * Returns the address of the first server, with the defaults of its variables, and without a slash at its end, since paths
 * start with one. It is resolved against the address of the description.
 *
 * @example serverOf([{ url: 'https://api.test/' }], 'openapi.json') // 'https://api.test'
 */
export function serverOf(servers: readonly Server[], input: string): string {
  const [server] = servers
  const url = (server?.url ?? '/').replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? '',
  )
  return (isAddress(input) ? new URL(url, input).href : url).replace(/\/+$/, '')
}

/** A server in a description. */
export interface Server {
  readonly url: string
  readonly variables?: Readonly<Record<string, { readonly default: string }>>
}

/** Returns the base class of a kind, from which its classes inherit the key. */
function baseText(kind: Kind, name: string): string {
  const schemas = kind.rows.map(({ className }) => className).join(', ')
  return `${commentOf([`The rows that ${schemas} show: whatever one of them is told, the others know.`])}abstract class ${name} extends Entity {
  static override key = ${quoted(kind.key)}
}`
}

function classText(row: Row, { shapes, schemas }: Context, base: string | undefined): string {
  const { className, type, pk, kind, schema, fields } = row
  const shaped = shapes.fieldsOf(row)
  const key = fields.get(pk)
  const isEmpty = !key?.required || schemas.alternatives(key.schema).isNullable
  const indexes = [...kind.indexes].filter((name) => fields.has(name))
  const members = [
    ...(base ? [] : [`static override key = ${quoted(kind.key)}`]),
    ...(indexes.length > 0 ? [`static override indexes = [${indexes.map(quoted).join(', ')}]`] : []),
    ...(shaped.length > 0
      ? [
          `static override get schema() {
    return { ${shaped.map(({ name, code }) => `${memberName(name)}: ${code}`).join(', ')} }
  }`,
        ]
      : []),
    ...(pk === 'id'
      ? []
      : [
          `override pk() {
    return this${memberName(pk) === pk ? `.${pk}` : `[${quoted(pk)}]`}${isEmpty ? ' ?? undefined' : ''}
  }`,
        ]),
  ]
  const replaced = [...shaped.map(({ name }) => name), ...['pk'].filter((name) => fields.has(name))]
  // An index signature would hide the declared fields from `Omit`.
  const kept = [...fields.keys()].filter((name) => !replaced.includes(name))
  const fieldsFrom = schemas.isOpen(schema)
    ? `Pick<T.${type}, ${kept.map(quoted).join(' | ')}>`
    : replaced.length > 0
      ? `Omit<T.${type}, ${replaced.map(quoted).join(' | ')}>`
      : `T.${type}`
  const own = shaped.map(({ name, out, isOptional }) => `\n  ${memberName(name)}${isOptional ? '?' : ''}: ${out}`)
  const comment = commentOf([schema.description])
  return `${comment}export class ${className} extends ${base ?? 'Entity'} {${members.map((member) => `\n  ${member}`).join('')}${members.length > 0 ? '\n' : ''}}
${comment}export interface ${className} extends ${fieldsFrom} {${own.join('')}${own.length > 0 ? '\n' : ''}}`
}

function endpointText({ operation, name, options, plain }: Written): string {
  const { summary, description, method, path, deprecated } = operation
  const comment = commentOf(
    [summary ?? description, `${method.toUpperCase()} ${path}`],
    deprecated ? ['@deprecated'] : [],
  )
  // Functions among the options get their types from the constructor, which slows the checker down. Without functions, only
  // the data is typed.
  const hasFunctions = options.some((option) => /^(?:getRequestInit|searchToString)\b/.test(option))
  const make = plain !== undefined && !hasFunctions ? `plain<${plain}>()` : 'new RestEndpoint'
  const all = plain !== undefined && hasFunctions ? [...options, `process: (value: ${plain}) => value`] : options
  return `${comment}export const ${name} = /* @__PURE__ */ (() =>
  ${make}({${all.map((option) => `\n    ${option},`).join('')}
  }))()`
}

/** Returns one object for each kind, with its operations by the names that `resource` uses, and others by their own. */
function resourceTexts({ rows, written, names }: Context): readonly string[] {
  const kinds = new Set([...rows.values()].map(({ kind }) => kind))
  return [...kinds].flatMap((kind) => {
    const own = written.filter((one) => one.kind === kind)
    if (own.length === 0) return []
    const members = membersOf(own)
    const name = names.unique(`${wordOf(kind.key)}Resource`, '_')
    const lines = members.map(([role, constant]) => `\n  ${role === constant ? constant : `${role}: ${constant}`},`)
    return [`${commentOf([`The endpoints of ${kind.key}.`])}export const ${name} = {${lines.join('')}\n}`]
  })
}

/** Returns a kind's members. The item with the shortest path is its own, with the list and the changes of the same path. */
function membersOf(own: readonly Written[]): readonly (readonly [string, string])[] {
  const shortest = (some: readonly Written[]): Written | undefined =>
    some.toSorted(
      (a, b) =>
        paramsOf(a.operation.path).length - paramsOf(b.operation.path).length ||
        a.operation.path.length - b.operation.path.length,
    )[0]
  const item =
    shortest(own.filter(({ role }) => role === 'get')) ??
    shortest(own.filter(({ role }) => role !== 'getList' && role !== 'create' && role))
  const before = item && lastParam(item.operation.path)?.before
  const roles: readonly Role[] = ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete']
  const found = new Map<string, Written>()
  for (const role of roles) {
    const some = own.filter((one) => one.role === role)
    const isList = role === 'getList' || role === 'create'
    const path = isList ? before : item?.operation.path
    const best =
      some.find(({ operation }) => operation.path.replace(/\/+$/, '') === path?.replace(/\/+$/, '')) ??
      (item ? undefined : shortest(some))
    if (best) found.set(role, best)
  }
  const others = own.filter((one) => ![...found.values()].includes(one))
  return [
    ...[...found].map(([role, { name }]) => [role, name] as const),
    ...others.map(({ name }) => [name, name] as const),
  ]
}

/** Returns a comment with the first sentence or line of each text. */
function commentOf(texts: readonly (string | undefined)[], tags: readonly string[] = []): string {
  const lines = texts.flatMap((text) => {
    const first =
      (text ?? '')
        .trim()
        .split(/\n\s*\n/)[0]
        ?.replace(/\s+/g, ' ')
        .replaceAll('*/', '*\\/') ?? ''
    return first === '' ? [] : [first]
  })
  const all = [
    ...lines.flatMap((line, i) => (i === 0 ? [line] : ['', line])),
    ...(tags.length > 0 && lines.length > 0 ? ['', ...tags] : tags),
  ]
  if (all.length === 0) return ''
  return all.length === 1
    ? `/** ${all[0]} */\n`
    : `/**\n${all.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`
}

/** Returns a kind's name as part of an identifier, since the option `same` accepts any text. */
function wordOf(key: string): string {
  return key.replace(/[^\p{L}\p{N}_$]/gu, '')
}
