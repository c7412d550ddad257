import type { Operation, Parameter } from './ir.js'
import type { Schemas } from './schemas.js'

const paging =
  /^(?:_?(?:page|limit|start|end)|page_?(?:number|no|num|index|size|token)|per_?page|offset|skip|take|\$?(?:top|skip)|first|last|(?:next_?)?cursor|after|before|starting_after|ending_before|since_id|max_id|next|next_?(?:page_?)?token|count|size|max_?(?:results|items)|continuation(?:_?token)?|marker|page\[.*\])$/i
const sorting =
  /^(?:_?(?:sort|order)|sort_?(?:by|order|dir|direction|field|key)|_?order_?(?:by|dir|direction)|\$orderby|ordering|direction|dir|desc|asc|reverse)$/i
const shaping =
  /^(?:_?fields?|\$?select|\$?expand|includes?|include_.*|excludes?|exclude_.*|_?embed|view|format|locale|lang|language|pretty|envelope|with_.*|populate|projection|fields\[.*\])$/i

/**
 * Returns the query params that do not affect the members of a list: they page, sort or shape it.
 *
 * @example nonFilters(['page', 'owner_id'], new Set(['id', 'owner_id'])) // ['page']
 */
export function nonFilters(names: readonly string[], fields: ReadonlySet<string>): readonly string[] {
  return names.filter((name) => [paging, sorting, shaping].some((kind) => kind.test(name)) && !fields.has(name))
}

/** Matches the params that select a page, the best first. */
const pageParams =
  'page _page pageNumber page_number page[number] pageNo page_no pageIndex page_index offset page[offset] skip $skip _start start cursor page[cursor] starting_after after page[after] page_token pageToken next_token nextToken continuation_token continuationToken marker since_id'.split(
    ' ',
  )

/** Matches the page params that count, for which core knows the next page. */
const counted = /^(?:_?page|pageNumber|offset|skip|_?start)$/

/** The way to the next page of a list. */
export interface Paging {
  readonly field: string
  /** The code of `nextPage`, if core does not know the next page. */
  readonly next?: string | undefined
  /** True if the description does not tell the next page. */
  readonly isUnknown: boolean
}

/**
 * Returns the paging of a list: the param that selects a page, and the way to the next one.
 *
 * @param envelope - the fields beside the list
 * @param access - the access to the list in the response, such as `.data`
 */
export function pagingOf(
  operation: Operation,
  envelope: readonly string[],
  pk: string | undefined,
  schemas: Schemas,
): Paging | undefined {
  const query = Object.values(operation.parameters?.query ?? {})
  const param = pageParams.flatMap((name) => query.find((one) => one.name === name) ?? [])[0]
  if (!param) return undefined
  const field = param.name
  const isText = schemas.scalarType(param.schema) === 'string'
  if (!isText && counted.test(field) && !startsAtZero(param, schemas)) return { field, isUnknown: false }
  const name = propertyName(field)
  if (!isText && !/^(?:cursor|after|starting_after|since_id)$/.test(field)) {
    const first = startsAtZero(param, schemas) ? 0 : 1
    const next = /offset|skip|start/i.test(field)
      ? `({ items, params }) =>
      items.length > 0 ? { ${name}: Number(params${access(field)} ?? 0) + items.length } : null`
      : `({ items, params }) =>
      items.length > 0 ? { ${name}: Number(params${access(field)} ?? ${first}) + 1 } : null`
    return { field, next, isUnknown: false }
  }
  const cursor = envelope.find((one) => nextField(field).test(one))
  if (cursor !== undefined) {
    const next = `({ response }) => (response${access(cursor)} ? { ${name}: response${access(cursor)} } : null)`
    return { field, next, isUnknown: false }
  }
  const more = envelope.find((one) => /^has_?more$/i.test(one))
  if (more !== undefined && pk !== undefined && /after$|^since_id$/.test(field)) {
    const next = `({ response, items }) =>
      response${access(more)} && items.length > 0 ? { ${name}: items[items.length - 1]?.${pk} } : null`
    return { field, next, isUnknown: false }
  }
  return { field, isUnknown: true }
}

function nextField(field: string): RegExp {
  const words = field.replace(/^next_?|[[\]]/gi, '')
  return new RegExp(
    `^(?:next_?${words}|next_?cursor|next_?(?:page_?)?token|next_?page|next|cursor|end_?cursor|${words})$`,
    'i',
  )
}

function startsAtZero({ name, schema }: Parameter, schemas: Schemas): boolean {
  const { default: first, minimum } = schemas.resolve(schema)
  return /page/i.test(name) && (first ?? minimum) === 0
}

/** Returns fields beside a list about its next page that core does not know: they come from the last page. */
export function pageFieldsOf(envelope: readonly string[]): readonly string[] {
  const coreFields = /^(?:nextPage|next|cursor|hasMore)$/
  const tells =
    /^(?:next|prev|previous|has_?more|.*cursor|.*page_?token|_?links|page_?info|pagination|paging|meta|page|next_?.*)$/i
  return envelope.filter((name) => tells.test(name) && !coreFields.test(name))
}

function access(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `['${name}']`
}

function propertyName(name: string): string {
  return access(name).startsWith('.') ? name : `'${name}'`
}

/** Returns the style of a param, if it differs from that of core: name and value, repeated for arrays. */
export function searchStyle({ style, explode, schema }: Parameter, schemas: Schemas): string | undefined {
  const { members } = schemas.alternatives(schema)
  const kinds = members.map((member) => {
    const resolved = schemas.resolve(member)
    if (resolved.type === 'array') return 'array'
    return schemas.fields(resolved).size > 0 || resolved.additionalProperties ? 'object' : 'text'
  })
  if (style === 'deepObject') return kinds.includes('object') || kinds.includes('array') ? 'brackets' : undefined
  if (kinds.includes('object')) return 'fields'
  if (!kinds.includes('array') || (explode && style === 'form')) return undefined
  return { pipeDelimited: '|', spaceDelimited: ' ' }[style] ?? ','
}
