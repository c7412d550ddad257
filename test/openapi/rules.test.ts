import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GenerateOptions, generate } from '@roundtable/openapi'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = { type: 'string' }
const number = { type: 'integer' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const list = (items: object) => ({ type: 'array', items })
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const answers = (schema: object, status = '200') => ({
  [status]: { description: 'Fine', content: { 'application/json': { schema } } },
})
const query = (...names: (string | object)[]) =>
  names.map((name) => (typeof name === 'string' ? { name, in: 'query', schema: text } : { in: 'query', ...name }))

/** What is written for these paths and schemas: the code of each constant and class by its name, and the report. */
async function written(paths: object, schemas: object, options: Partial<GenerateOptions> = {}) {
  const params = (path: string) =>
    [...path.matchAll(/\{(.*?)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text }))
  const complete = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, { parameters: params(path), ...(item as object) }]),
  )
  const input = join(folder, 'api.json')
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: complete, components: { schemas } }
  writeFileSync(input, JSON.stringify(document))
  const { report, kinds } = await generate({ input, output: folder, ...options })
  const code = readFileSync(join(folder, 'roundtable.gen.ts'), 'utf8')
  const parts = code.split(/\n(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export )/)
  const of = (name: string): string =>
    parts
      .filter((part) =>
        new RegExp(`^(?:export )?(?:abstract )?(?:const|class|interface) ${name.replace('$', '\\$')}\\b`, 'm').test(
          part,
        ),
      )
      .join('\n')
  return { code, of, kinds, report: report.map(({ at, message }) => `${at.replace(/^.*#/, '#')}: ${message}`) }
}

describe('a row', () => {
  test('is known by id, x-primary-key, the option pk, or the last param of its path', async () => {
    const { of, kinds } = await written(
      {
        '/a/{id}': { get: { operationId: 'getA', responses: answers(ref('a')) } },
        '/b/{x}': { get: { operationId: 'getB', responses: answers(ref('b')) } },
        '/c/{x}': { get: { operationId: 'getC', responses: answers(ref('c')) } },
        '/d/{slug}': { get: { operationId: 'getD', responses: answers(ref('d')) } },
        '/e/{x}': { get: { operationId: 'getE', responses: answers(ref('e')) } },
      },
      {
        a: object({ id: number }),
        b: object({ sku: text }, { 'x-primary-key': 'sku', required: ['sku'] }),
        c: object({ 'serial-no': text }),
        d: object({ slug: text }, { required: ['slug'] }),
        e: object({ name: text }),
        // Nothing answers with it.
        f: object({ id: number }),
      },
      { pk: { c: 'serial-no' } },
    )
    expect(kinds).toEqual(['A', 'B', 'C', 'D'])
    expect(of('A')).not.toContain('pk()')
    expect(of('B')).toContain('return this.sku\n')
    expect(of('C')).toContain("return this['serial-no'] ?? undefined\n")
    expect(of('D')).toContain('return this.slug\n')
    expect(of('getE')).toContain('plain<T.GetEResponse>()')
  })

  test.each([
    ['/users/{user_id}', text, '/users/:id'],
    ['/users/{userId}', text, '/users/:id'],
    ['/users/{user}', text, '/users/:id'],
    ['/users/{username}', text, '/users/:username'],
    ['/users/{user_id}/', text, '/users/:id/'],
    ['/teams/{team}/users/{user_number}', text, '/teams/:team/users/:user_number'],
  ])('of a path names its last param: %s', async (path, _, template) => {
    const { of } = await written(
      { [path]: { get: { operationId: 'getUser', responses: answers(ref('User')) } } },
      { User: object({ id: text, name: text }) },
    )
    expect(of('getUser')).toContain(`path: '${template}'`)
  })

  test('is not named by a param of another type, or one that is another field, which is an index where nothing else is in the path', async () => {
    const path = (parameters: object) => ({
      parameters: [parameters],
      get: { operationId: 'getUser', responses: answers(ref('User')) },
    })
    const User = object({ id: number, login: text })
    const byId = { name: 'user_id', in: 'path', required: true, schema: text }
    expect((await written({ '/users/{user_id}': path(byId) }, { User })).of('getUser')).toContain("'/users/:user_id'")
    const byLogin = { name: 'login', in: 'path', required: true, schema: text }
    const { of } = await written({ '/users/{login}': path(byLogin) }, { User })
    expect(of('getUser')).toContain("'/users/:login'")
    expect(of('User')).toContain("static override indexes = ['login']")
    const org = {
      parameters: [byLogin, { ...byLogin, name: 'org' }],
      get: { operationId: 'getUser', responses: answers(ref('User')) },
    }
    expect((await written({ '/{org}/{login}': org }, { User })).of('User')).not.toContain('indexes')
  })

  test('has rows, lists, maps and objects with rows as fields, and dates by option', async () => {
    const { of } = await written(
      { '/tasks/{id}': { get: { operationId: 'getTask', responses: answers(ref('Task')) } } },
      {
        User: object({ id: number }),
        Task: object(
          {
            id: number,
            owner: ref('User'),
            reviewer: { anyOf: [ref('User'), { type: 'null' }] },
            assignee: { anyOf: [text, ref('User')] },
            watchers: list(ref('User')),
            byRole: { type: 'object', additionalProperties: ref('User') },
            last: object({ by: ref('User'), at: text }, { required: ['by'] }),
            due: { type: ['string', 'null'], format: 'date-time' },
            pk: text,
          },
          { required: ['id', 'owner', 'reviewer', 'watchers', 'last'] },
        ),
      },
      { dates: true },
    )
    expect(of('Task')).toContain(
      'return { owner: User, reviewer: User, assignee: User, watchers: [User], byRole: new Values(User), last: { by: User }, due: toDate }',
    )
    expect(
      of('Task').match(/extends Omit<[\s\S]*/)?.[0],
    ).toBe(`extends Omit<T.Task, 'owner' | 'reviewer' | 'assignee' | 'watchers' | 'byRole' | 'last' | 'due' | 'pk'> {
  owner: User | undefined
  reviewer: User | null | undefined
  assignee?: User | undefined
  watchers: readonly User[]
  byRole?: Readonly<Record<string, User>> | undefined
  last: Omit<NonNullable<T.Task['last']>, 'by'> & { readonly by: User }
  due?: Date | null | undefined
}
`)
  })

  test('with fields of any name keeps those that are known', async () => {
    const { of } = await written(
      { '/bags/{id}': { get: { operationId: 'getBag', responses: answers(ref('Bag')) } } },
      { Bag: object({ id: number, next: ref('Bag') }, { additionalProperties: number }) },
    )
    expect(of('Bag')).toContain("export interface Bag extends Pick<T.Bag, 'id'>")
  })
})

describe('one kind', () => {
  const User = object({ id: number, name: text })
  const Detail = object({ id: number, name: text, address: text })

  test('are a list, its items, and what is posted and put there, but not what only has an id too', async () => {
    const { of, kinds } = await written(
      {
        '/users': {
          get: { operationId: 'listUsers', responses: answers(list(ref('User'))) },
          post: { operationId: 'addUser', responses: answers(ref('Created'), '201') },
        },
        '/users/{id}': {
          get: { operationId: 'getUser', responses: answers(ref('UserDetail')) },
          put: { operationId: 'putUser', responses: answers(ref('Job')) },
        },
      },
      {
        User,
        UserDetail: Detail,
        Created: object({ id: number, name: text }),
        Job: object({ id: number, state: text, log: text }),
      },
    )
    expect(kinds).toEqual(['User', 'Job'])
    for (const name of ['User', 'UserDetail', 'Created']) expect(of(name)).toContain(`class ${name} extends UserKind`)
    expect(of('addUser')).toContain('schema: (listUsers.schema.push as never as As<Created>)')
    expect(of('UserResource')).toContain('get: getUser,\n  getList: listUsers,\n  create: addUser,')
  })

  test('are schemas that the option same names, and a wrong name is an error', async () => {
    const paths = {
      '/me': { get: { operationId: 'me', responses: answers(ref('UserDetail')) } },
      '/people': { get: { operationId: 'people', responses: answers(list(ref('User'))) } },
    }
    const schemas = { User, UserDetail: Detail }
    expect((await written(paths, schemas)).kinds).toEqual(['User', 'UserDetail'])
    expect((await written(paths, schemas, { same: { Person: ['User', 'UserDetail'] } })).kinds).toEqual(['Person'])
    await expect(written(paths, schemas, { same: { Person: ['Usr'] }, pk: { Nobody: 'id' } })).rejects.toThrow(
      "option pk: there is no schema 'Nobody' in the description\noption same: there is no schema 'Usr' in the description",
    )
  })
})

describe('a list', () => {
  const Task = object({ id: number, owner: text, size: text })
  const tasks = async (operation: object, schema: object = list(ref('Task'))) =>
    (
      await written({ '/tasks': { get: { operationId: 'tasks', responses: answers(schema), ...operation } } }, { Task })
    ).of('tasks')

  test('ignores params that page, sort and shape it, unless rows have a field of that name', async () => {
    const parameters = query('owner', 'size', 'page', 'per_page', 'sort', 'order_by', 'fields', 'include')
    expect(await tasks({ parameters })).toContain(
      "new Collection([Task], { nonFilterArgumentKeys: ['page', 'per_page', 'sort', 'order_by', 'fields', 'include'] })",
    )
  })

  test.each([
    ['page', { name: 'page', schema: number }, undefined],
    ['offset', { name: 'offset', schema: number }, undefined],
    ['page', { name: 'page', schema: { type: 'integer', default: 0 } }, 'page: Number(params.page ?? 0) + 1'],
    ['page_number', { name: 'page_number', schema: number }, 'page_number: Number(params.page_number ?? 1) + 1'],
    [
      'page[number]',
      { name: 'page[number]', schema: number },
      "'page[number]': Number(params['page[number]'] ?? 1) + 1",
    ],
  ])('has pages by %s', async (field, param, next) => {
    const code = await tasks({ parameters: query(param) })
    expect(code).toContain(`paginationField: '${field}'`)
    if (next === undefined) expect(code).not.toContain('nextPage')
    else expect(code).toContain(next)
  })

  test.each([
    ['cursor', 'next_cursor', 'response.next_cursor ? { cursor: response.next_cursor } : null'],
    ['pageToken', 'nextPageToken', 'response.nextPageToken ? { pageToken: response.nextPageToken } : null'],
    [
      'starting_after',
      'has_more',
      'response.has_more && items.length > 0 ? { starting_after: items[items.length - 1]?.id } : null',
    ],
  ])('has pages by %s and %s', async (param, field, next) => {
    const code = await tasks({ parameters: query(param) }, object({ data: list(ref('Task')), [field]: text }))
    expect(code).toContain(next)
    expect(code).toContain(`pageFields: ['${field}']`)
  })

  test('that says nothing of its next page is in the report', async () => {
    const parameters = query('cursor')
    const { report } = await written(
      { '/tasks': { get: { operationId: 'tasks', parameters, responses: answers(list(ref('Task'))) } } },
      { Task },
    )
    expect(report).toEqual([
      expect.stringMatching(/^#\/paths\/~1tasks\/get: has pages by 'cursor', and nothing in the response/),
    ])
  })

  test('is a Collection where there is one in a response, and else is replaced as a whole', async () => {
    expect(await tasks({}, object({ data: object({ items: list(ref('Task')) }) }))).toContain('new Collection([Task])')
    const two = await tasks(
      {},
      object({ mine: list(ref('Task')), others: list(ref('Task')) }, { required: ['mine', 'others'] }),
    )
    expect(two).toContain('schema: { mine: [Task], others: [Task] },')
  })
})

describe('alternatives', () => {
  const cat = object({ id: number, kind: { const: 'cat' }, lives: number }, { required: ['id', 'kind'] })
  const dog = object({ id: number, kind: { enum: ['dog', 'wolf'] } }, { required: ['id', 'kind'] })
  const one = async (schema: object, schemas: object = {}) => {
    const result = await written(
      { '/pet': { get: { operationId: 'pet', responses: answers(schema) } } },
      { cat, dog, ...schemas },
    )
    return { ...result, pet: result.of('pet') }
  }

  test('are a Union by a constant field', async () => {
    const { pet } = await one({ oneOf: [ref('cat'), ref('dog')] })
    expect(pet).toContain("schema: new Union({ cat: Cat, dog: Dog, wolf: Dog }, 'kind')")
  })

  test('are a Union by the mapping of a discriminator', async () => {
    const a = object({ id: number, type: text })
    const mapping = { first: '#/components/schemas/a', second: '#/components/schemas/b' }
    const { pet } = await one(
      { oneOf: [ref('a'), ref('b')], discriminator: { propertyName: 'type', mapping } },
      { a, b: a },
    )
    expect(pet).toContain("schema: new Union({ first: A, second: B }, 'type')")
  })

  test('that nothing tells apart, or that are not all rows, stay plain, and the report says why', async () => {
    const plain = object({ text })
    const apart = await one({ oneOf: [ref('cat'), ref('b')] }, { b: object({ id: number, colour: text }) })
    expect(apart.pet).toContain('plain<T.PetResponse>()')
    expect(apart.report).toEqual([
      '#/paths/~1pet/get/responses/200: stays plain: no field with a constant tells cat, b apart. Add a discriminator to the description, or name them as one kind in the option same',
    ])
    const mixed = await one({ oneOf: [ref('cat'), ref('plain')] }, { plain })
    expect(mixed.report).toEqual([
      '#/paths/~1pet/get/responses/200: stays plain: some of its alternatives are rows, and others are not',
    ])
  })
})

describe('what no row can be made of is in the report', () => {
  const Thing = object({ id: number, name: text, code: text })
  test.each([
    [
      'a deletion by another field',
      {
        '/x/{y}/things/{code}': {
          get: { operationId: 'a', responses: answers(ref('Thing')) },
          delete: { operationId: 'b', responses: { 204: { description: 'Gone' } } },
        },
      },
      "#/paths/~1x~1{y}~1things~1{code}/delete: deletes no row: 'code' is not 'id', by which Thing is known. The option pk names another field",
    ],
    [
      'a header',
      {
        '/x': {
          get: {
            operationId: 'a',
            parameters: [{ name: 'x-key', in: 'header', required: true, schema: text }],
            responses: {},
          },
        },
      },
      "#/paths/~1x/get/parameters: needs the header 'x-key': send it by the transport of the controller, or by getHeaders",
    ],
    [
      'a body of GET',
      {
        '/x': {
          get: { operationId: 'a', requestBody: { content: { 'application/json': { schema: Thing } } }, responses: {} },
        },
      },
      '#/paths/~1x/get/requestBody: has a body, which GET does not send: it is left out',
    ],
    [
      'an id that two operations have',
      { '/x': { get: { operationId: 'a', responses: {} }, put: { operationId: 'a', responses: {} } } },
      "#/paths/~1x/put/operationId: is 'a', as that of #/paths/~1x/get: its constant has another name",
    ],
  ])('%s', async (_, paths, line) => {
    expect((await written(paths, { Thing })).report).toEqual([line])
  })
})

test('names that are no identifiers, or are taken, are made into some', async () => {
  const { of, code } = await written(
    {
      '/a:b/{item-id}_{x}.{y}': { get: { operationId: 'delete', responses: answers(ref('simple user')) } },
      '/b': { get: { operationId: '2nd thing!', responses: answers(list(ref('Entity'))) } },
      '/c': { get: { responses: answers(ref('$Collection')) }, head: { responses: {} } },
    },
    {
      'simple user': object({ id: number, 'first name': text }),
      Entity: object({ id: text }),
      $Collection: object({ id: text }),
    },
  )
  expect(of('delete_')).toContain(`path: '/a\\\\:b/:"item-id"_:x.:y'`)
  expect(of('SimpleUser')).toContain("static override key = 'SimpleUser'")
  expect(of('EntityRow')).toContain('interface EntityRow extends T.Entity {}')
  expect(code).toContain('export const getC = ')
  expect(code).toContain("method: 'HEAD',\n    sideEffect: false,")
})
