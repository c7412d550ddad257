import { type Answer, answerOf } from './answers.js'
import type { HeyApi } from './hey-api.js'
import type { Operation } from './ir.js'
import { type Kind, namesRow, type Row } from './kinds.js'
import { memberName, type Names, quoted } from './names.js'
import { nonFilters, pageFieldsOf, pagingOf, searchStyle } from './params.js'
import { lastParam, paramsOf, plainPath, templateOf } from './paths.js'
import type { Report } from './report.js'
import type { Schemas } from './schemas.js'
import { exact, type ListPlace, type Shapes } from './shape.js'

/** The code of an operation. */
export interface Written {
  readonly operation: Operation
  /** The name of its constant. */
  readonly name: string
  /** The options of its endpoint, line by line. */
  readonly options: readonly string[]
  /** The type of its data, if they contain no row. */
  readonly plain?: string | undefined
  /** The kind that it reads or changes, and its role there; undefined if it has none. */
  readonly kind?: Kind | undefined
  readonly role?: Role | undefined
}

/** The role of an operation for a kind, by the names that `resource` uses. */
export type Role = 'get' | 'getList' | 'create' | 'update' | 'partialUpdate' | 'delete'

interface Context {
  readonly operations: readonly Operation[]
  readonly rows: ReadonlyMap<string, Row>
  readonly schemas: Schemas
  readonly shapes: Shapes
  readonly report: Report
  readonly names: Names
  readonly heyApi: HeyApi
  /** Returns the fields of a form that are written with brackets. */
  nestedFields(operation: Operation): readonly string[]
}

/** The facts that follow from the response of an operation. */
type Place = Pick<Written, 'kind' | 'role' | 'plain'>

/** A written list, to whose `push` other operations refer. */
interface WrittenList {
  readonly name: string
  readonly place: ListPlace
}

/** Writes the options of all endpoints: reads first, so that operations that add to a list follow it. */
export function writeOperations(context: Context): readonly Written[] {
  const lists = new Map<string, WrittenList>()
  const items = itemsOf(context)
  const isGet = (operation: Operation): number => (operation.method === 'get' ? 0 : 1)
  const ordered = context.operations.toSorted((a, b) =>
    plainPath(a.path) === plainPath(b.path) ? isGet(a) - isGet(b) : 0,
  )
  const named = new Map(context.operations.map((one) => [one, context.names.unique(one.id, '_')]))
  return ordered.map(
    (operation) => new Writing(context, operation, named.get(operation) ?? operation.id, lists, items).written,
  )
}

/** The row that a path names by its last param. */
interface Item {
  readonly row: Row
  /** The field of the param: the primary key, or an index. */
  readonly field: string | undefined
}

function itemsOf({ operations, rows, schemas }: Context): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>()
  const order = ['get', 'put', 'patch', 'post']
  const sorted = operations.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
  for (const operation of sorted) {
    const param = lastParam(operation.path)
    const path = plainPath(operation.path)
    const answer = order.includes(operation.method) ? answerOf(operation) : undefined
    if (!param || !answer || items.has(path)) continue
    const row = schemas
      .alternatives(answer.schema)
      .members.flatMap((member) => rows.get(schemas.nameOf(member) ?? '') ?? rowInside(member))[0]
    const declared =
      operation.parameters?.path?.[param.name] ??
      Object.values(operation.parameters?.path ?? {}).find(({ name }) => name === param.name)
    if (!row) continue
    const named = { name: param.name, schema: declared?.schema ?? {} }
    if (namesRow(named, row, schemas)) items.set(path, { row, field: row.pk })
    else if (row.fields.has(param.name) && paramsOf(path).length === 1) {
      row.kind.indexes.add(param.name)
      items.set(path, { row, field: param.name })
    } else items.set(path, { row, field: undefined })
  }
  return items

  /** Returns the only row in an object. */
  function rowInside(member: Parameters<Schemas['fields']>[0]): readonly Row[] {
    const found = [...schemas.fields(schemas.resolve(member)).values()].flatMap(
      ({ schema }) => rows.get(schemas.nameOf(schema) ?? '') ?? [],
    )
    return found.length === 1 ? found : []
  }
}

/** Writes one operation. */
class Writing {
  readonly written: Written
  readonly #context: Context
  readonly #operation: Operation
  readonly #path: readonly string[]
  readonly #items: ReadonlyMap<string, Item>
  readonly #options: string[] = []

  constructor(
    context: Context,
    operation: Operation,
    name: string,
    lists: Map<string, WrittenList>,
    items: ReadonlyMap<string, Item>,
  ) {
    this.#context = context
    this.#operation = operation
    this.#items = items
    this.#path = ['paths', operation.path, operation.method]
    const path = plainPath(operation.path)
    const item = items.get(path)
    this.#url(item)
    this.#search()
    this.#body()
    this.#noteHeaders()
    const place = this.#response(name, path, item, lists)
    this.written = { operation, name, options: this.#options, ...place }
  }

  #add(option: string): void {
    this.#options.push(option)
  }

  #note(message: string, ...path: string[]): void {
    this.#context.report.note([...this.#path, ...path], message)
  }

  #type(role: 'data' | 'response' | 'responses'): string | undefined {
    const name = this.#context.heyApi.operationType(this.#operation.id, role)
    return name === undefined ? undefined : `T.${name}`
  }

  #url(item: Item | undefined): void {
    const { method } = this.#operation
    this.#add('urlPrefix')
    this.#add(`path: ${quoted(rowTemplate(this.#operation, item))}`)
    if (method !== 'get') this.#add(`method: ${quoted(method.toUpperCase())}`)
    if (method === 'head' || method === 'options' || method === 'trace') this.#add('sideEffect: false')
  }

  #search(): void {
    const query = Object.values(this.#operation.parameters?.query ?? {})
    const data = this.#type('data')
    if (query.length === 0 || data === undefined) return
    this.#add(`searchParams: {} as ${data}['query']`)
    const styles = query.flatMap((param) => {
      const style = searchStyle(param, this.#context.schemas)
      return style === undefined ? [] : [`${memberName(param.name)}: ${quoted(style)}`]
    })
    if (styles.length > 0) this.#add(`searchToString: searchBy({ ${styles.join(', ')} })`)
  }

  #body(): void {
    const { method, body } = this.#operation
    const data = this.#type('data')
    if (!body || data === undefined) {
      if (/^(?:post|put|patch|options|trace)$/.test(method)) this.#add('body: undefined')
      return
    }
    if (method === 'get' || method === 'head') {
      this.#note(`has a body, which ${method.toUpperCase()} does not send: it is left out`, 'requestBody')
      return
    }
    this.#add(`body: {} as ${data}['body']`)
    const type = body.mediaType.toLowerCase()
    if (type.startsWith('application/x-www-form-urlencoded')) {
      const nested = this.#context.nestedFields(this.#operation)
      const more = nested.length > 0 ? `, [${nested.map(quoted).join(', ')}]` : ''
      this.#init(`formOf(body${more})`)
    } else if (type.startsWith('multipart/')) this.#init('formDataOf(body)')
    else if (/[/+]json\b/.test(type)) {
      const isText = this.#context.schemas.scalarType(body.schema) === 'string'
      if (isText || !type.startsWith('application/json'))
        this.#add(`requestInit: { headers: { 'content-type': ${quoted(body.mediaType)} } }`)
      if (isText) this.#init('JSON.stringify(body)')
    }
  }

  #init(body: string): void {
    this.#add(`getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, ${body})
    }`)
  }

  #noteHeaders(): void {
    for (const where of ['header', 'cookie'] as const) {
      for (const { name, required } of Object.values(this.#operation.parameters?.[where] ?? {})) {
        if (required)
          this.#note(
            `needs the ${where} '${name}': send it by the transport of the controller, or by getHeaders`,
            'parameters',
          )
      }
    }
  }

  #response(name: string, path: string, item: Item | undefined, lists: Map<string, WrittenList>): Place {
    const { method } = this.#operation
    if (method === 'delete') return this.#deletion(item)
    const answer = answerOf(this.#operation)
    if (answer?.content === 'json') {
      const rows = method === 'get' ? this.#list(answer, name, path, lists) : this.#member(answer, path, item, lists)
      if (rows) return rows
      const row = this.#rowOf(answer)
      const schema = this.#schema(answer)
      if (schema !== undefined) {
        this.#add(`schema: ${schema}`)
        return { kind: row?.kind, role: item && row ? roleOf(method) : undefined }
      }
    }
    return { plain: this.#plain(answer) }
  }

  #rowOf({ schema }: Answer): Row | undefined {
    const { rows, schemas } = this.#context
    return schemas.alternatives(schema).members.flatMap((member) => rows.get(schemas.nameOf(member) ?? '') ?? [])[0]
  }

  #typeOf({ status }: Answer): string {
    const all = this.#type('responses')
    return all === undefined ? 'unknown' : `${all}[${/^\d+$/.test(status) ? status : quoted(status)}]`
  }

  #schema(answer: Answer, writers: Parameters<Shapes['of']>[3] = {}): string | undefined {
    const shape = this.#context.shapes.of(
      answer.schema,
      this.#typeOf(answer),
      [...this.#path, 'responses', answer.status],
      writers,
    )
    return shape && exact(shape)
  }

  /** Writes a read with a single list as a Collection, to which other operations add. */
  #list(answer: Answer, name: string, path: string, lists: Map<string, WrittenList>): Place | undefined {
    const { shapes, schemas } = this.#context
    const [place, ...others] = shapes.listsIn(answer.schema)
    if (!place || others.length > 0) return undefined
    const query = Object.values(this.#operation.parameters?.query ?? {}).map((param) => param.name)
    const fields = new Set(place.row?.fields.keys())
    const apart = nonFilters(query, fields)
    const options = apart.length > 0 ? `, { nonFilterArgumentKeys: [${apart.map(quoted).join(', ')}] }` : ''
    const schema = this.#schema(answer, { list: (code) => `new Collection([${code}]${options})` })
    if (schema === undefined) return undefined
    this.#add(`schema: ${schema}`)
    this.#move(path, place)
    this.#pages(place, schemas)
    lists.set(path, { name, place })
    return { kind: place.row?.kind, role: 'getList' }
  }

  /** A change of a member, as `move` sends it: PATCH of its path below the list's. */
  #move(list: string, { row }: ListPlace): void {
    const change = this.#context.operations.find(
      ({ method, path }) => method === 'patch' && lastParam(path)?.before === list,
    )
    const item = change && this.#items.get(plainPath(change.path))
    if (change && item?.field !== undefined && item.row.kind === row?.kind)
      this.#add(`movePath: ${quoted(rowTemplate(change, item))}`)
  }

  #pages({ beside, row, access }: ListPlace, schemas: Schemas): void {
    const envelope = access.lastIndexOf('.') <= 0 ? beside : []
    const paging = pagingOf(this.#operation, envelope, row?.pk, schemas)
    if (!paging) return
    this.#add(`paginationField: ${quoted(paging.field)}`)
    if (paging.next) this.#add(`nextPage: ${paging.next}`)
    if (paging.isUnknown)
      this.#note(
        `has pages by '${paging.field}', and nothing in the response that says which is next: give it nextPage by extend`,
      )
    const fields = pageFieldsOf(envelope)
    if (fields.length > 0) this.#add(`pageFields: [${fields.map(quoted).join(', ')}]`)
  }

  /** Writes a POST to the path of a list of the same kind, which adds to the list. */
  #member(answer: Answer, path: string, item: Item | undefined, lists: Map<string, WrittenList>): Place | undefined {
    const list = lists.get(path)
    const row = this.#rowOf(answer)
    if (this.#operation.method !== 'post' || item || !list?.place.row || row?.kind !== list.place.row.kind)
      return undefined
    const push = `${list.name}.schema${list.place.access}.push`
    const code = list.place.row === row ? push : `(${push} as never as As<${row.className}>)`
    const schema = this.#schema(answer, { row: (one) => (one === row ? code : undefined) })
    if (schema === undefined) return undefined
    this.#add(`schema: ${schema}`)
    return { kind: row.kind, role: 'create' }
  }

  /** Writes a deletion, which removes the row for any response. */
  #deletion(item: Item | undefined): Place {
    if (item?.field !== undefined) {
      this.#add(`schema: new Invalidate(${item.row.className})`)
      return { kind: item.row.kind, role: 'delete' }
    }
    const param = lastParam(this.#operation.path)?.name
    if (item)
      this.#note(
        `deletes no row: '${param}' is not '${item.row.pk}', by which ${item.row.component} is known. The option pk names another field`,
      )
    return { plain: this.#plain(answerOf(this.#operation)) }
  }

  /** Returns the type of data without rows; undefined if it follows from `content`. */
  #plain(answer: Answer | undefined): string | undefined {
    if (!answer) return 'unknown'
    if (answer.content === 'none') return 'null'
    if (answer.content === 'json') return this.#type('response') ?? 'unknown'
    this.#add(`content: ${quoted(answer.content)}`)
    return undefined
  }
}

/** The template of a path whose last param has the name of the field that it is compared with. */
function rowTemplate(operation: Operation, item: Item | undefined): string {
  const param = lastParam(operation.path)?.name
  return templateOf(operation, new Map(param !== undefined && item?.field !== undefined ? [[param, item.field]] : []))
}

function roleOf(method: string): Role | undefined {
  return ({ get: 'get', put: 'update', post: 'update', patch: 'partialUpdate' } as const)[method]
}
