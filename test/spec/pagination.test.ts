import { Collection, Entity, OptionError, Query, RestEndpoint, schema } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
}

const todos = new Collection([Todo])

describe('Pagination', () => {
  const getList = new RestEndpoint({
    path: '/lists/:list/todos',
    searchParams: {} as { sort?: string },
    schema: todos,
    paginationField: 'cursor',
  })

  test('getPage: present when paginationField is set', () => {
    expect(getList.getPage).toBeInstanceOf(RestEndpoint)
    const without = getList.extend({ paginationField: undefined as never }) as RestEndpoint
    expect(without.getPage).toBeUndefined()
  })

  test('getPage: GET of the same path with the next page value in the search parameter named by paginationField', async () => {
    await getList.extend({ urlPrefix: server.url }).getPage({ list: 5, cursor: 'abc', sort: 'asc' })
    expect(server.last()).toMatchObject({ method: 'GET', url: '/lists/5/todos?cursor=abc&sort=asc' })
    expect(getList.getPage.sideEffect).toBeUndefined()
  })

  test('getPage: requires a Collection in the schema', () => {
    const plain = new RestEndpoint({ path: '/todos', schema: [Todo], paginationField: 'cursor' })
    expect(() => plain.getPage).toThrow(OptionError)
    expect(() => plain.getPage).toThrow(/Collection/)
  })

  test('a page has the key of its list, so that the list takes it in', () => {
    expect(getList.getPage.key({ list: 5, cursor: 'abc', sort: 'asc' })).toBe(getList.key({ list: 5, sort: 'asc' }))
    expect(getList.getPage.url({ list: 5, cursor: 'abc' })).toBe('/lists/5/todos?cursor=abc')
    expect(getList.getPage.schema).not.toBe(todos)
    expect(getList.getPage.schema).toBeInstanceOf(Collection)
  })

  test('pages of one list are requests of their own', () => {
    const { getPage } = getList
    const second = getPage.requestKey?.({ list: 5, cursor: 'b' })
    expect(getPage.requestKey?.({ list: 5, cursor: 'a' })).not.toBe(second)
    expect(getPage.requestKey?.({ cursor: 'b', list: 5 })).toBe(second)
    expect(getList.requestKey).toBeUndefined()
  })

  test('paginated(paginationfield: string): uses that string as the field to find the page to append', () => {
    const page = getList.paginated('page')
    expect(page.key({ list: 5, page: 2 })).toBe(getList.key({ list: 5 }))
    expect(page.url({ list: 5, page: 2 })).toBe('/lists/5/todos?page=2')
    expect(getList.paginated('page')).toBe(page)
    expect(getList.paginated('cursor')).toBe(getList.getPage)
  })

  test('paginated(removeCursor: function): it takes the arguments of the page and returns those of the list', () => {
    const page = getList.paginated(({ after, ...params }: { list: string; after: number }) => [params])
    expect(page.key({ list: '5', after: 2 })).toBe(getList.key({ list: '5' }))
    expect(page.url({ list: '5', after: 2 } as never)).toBe('/lists/5/todos?after=2')
  })

  test('paginated: requires a Collection', () => {
    const plain = new RestEndpoint({ path: '/todos', schema: { todos: [Todo], next: '' } })
    // @ts-expect-error
    expect(() => plain.paginated('cursor')).toThrow(OptionError)
    // @ts-expect-error
    expect(() => plain.paginated((params: object) => [params])).toThrow(/Collection/)
  })

  test('the page value may stand in the body of a read', () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { text: string; cursor?: string },
      schema: todos,
      paginationField: 'cursor',
    })
    expect(search.getPage.key({ text: 'a', cursor: 'b' })).toBe(search.key({ text: 'a' }))
  })

  test('a Collection in an object, in schema.Object and in a Query is found, what is around it stays', () => {
    const nested = { data: { todos }, next: '' }
    const inObject = new RestEndpoint({ path: '/todos', schema: nested, paginationField: 'cursor' }).getPage.schema
    expect(inObject).toEqual({ data: { todos: expect.any(Collection) }, next: '' })
    expect(inObject.data.todos).not.toBe(todos)
    const wrapped = new schema.Object({ todos, next: '' })
    const inWrapper = new RestEndpoint({ path: '/todos', schema: wrapped }).paginated('cursor').schema
    expect(inWrapper).toBeInstanceOf(schema.Object)
    expect(inWrapper.definition.todos).not.toBe(todos)
    const query = new Query(todos, (all) => all.length)
    const inQuery = new RestEndpoint({ path: '/todos', schema: query }).paginated('cursor').schema
    expect(inQuery).toBeInstanceOf(Query)
    expect(inQuery.process).toBe(query.process)
  })

  test('a page keeps the other options, and extend of a page keeps it a page', () => {
    const page = getList.extend({ dataExpiryLength: 7 }).getPage
    expect(page.dataExpiryLength).toBe(7)
    expect(page.extend({ dataExpiryLength: 8 }).key({ list: 5, cursor: 'a' })).toBe(getList.key({ list: 5 }))
  })
})
