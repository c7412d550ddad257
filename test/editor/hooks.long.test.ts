import { describe, expect, test } from 'vitest'
import { Editor } from './editor.js'

const editor = new Editor(`
import { Collection, type Controller, Endpoint, Entity, RestEndpoint, resource, Union, type EndpointData, type ReadEndpoint } from '@roundtable/core'
import * as react from '@roundtable/react'
import * as vue from '@roundtable/vue'
import * as svelte from '@roundtable/svelte'
class Todo extends Entity { static override key = 'Todo'; id = 0; title = ''; done = false }
const Todos = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { userId?: number } })
const getMe = new RestEndpoint({ path: '/me', schema: Todo })
const byKind = new RestEndpoint({ path: '/kinds', schema: [Todo], searchParams: {} as { kind: 'bug' | 'task' } })
const search = new RestEndpoint({ path: '/in/:in', method: 'POST', sideEffect: false, schema: [Todo], body: {} as { text: string } })
declare const controller: Controller
declare const maybe: boolean
`)

const singles = ['useSuspense', 'useDLE', 'useFetch', 'useLive', 'useCache', 'useSubscription']
const hooks = ['react', 'vue', 'svelte'].flatMap((of) => singles.map((hook) => `${of}.${hook}`))
/** Arguments of a change, as a hook takes them. */
const argsFor = (hook: string) =>
  hook.startsWith('svelte') ? '() => [{ id: 5 }, { done: true }]' : '{ id: 5 }, { done: true }'
const suspends = ['react', 'vue', 'svelte'].map((of) => `${of}.useSuspense`)

describe('completion offers', () => {
  test.each([...hooks, 'controller.fetch', 'controller.watch', 'controller.getResponse'])('%s: the params', (call) => {
    const params = call.startsWith('vue') ? expect.arrayContaining(['id']) : ['id']
    expect(editor.offered(`${call}(Todos.get, { | })`)).toEqual(params)
    expect(editor.offered(`${call}(byKind, { kind: '|' })`)).toEqual(['bug', 'task'])
  })

  test.each(suspends)('%s: the params of each parallel read', (call) => {
    const params = call.startsWith('vue') ? expect.arrayContaining(['id']) : ['id']
    expect(editor.offered(`${call}([Todos.get, { | }])`)).toEqual(params)
    expect(editor.offered(`${call}([getMe], [Todos.get, { | }])`)).toEqual(params)
    expect(editor.offered(`${call}([getMe], [Todos.getList], [Todos.get, { | }])`)).toEqual(params)
    expect(editor.offered(`${call}([Todos.get, { | }], [getMe])`)).toEqual(params)
  })

  test('the params in a getter of Vue and a thunk of Svelte', () => {
    expect(editor.offered('vue.useDLE(Todos.get, () => ({ | }))')).toEqual(['id'])
    expect(editor.offered('vue.useSuspense(Todos.get, () => ({ | }))')).toEqual(['id'])
    expect(editor.offered('svelte.useDLE(Todos.get, () => [{ | }])')).toEqual(['id'])
    expect(editor.offered('svelte.useSuspense(Todos.get, () => [{ | }])')).toEqual(['id'])
  })
})

describe('options', () => {
  const generics = ['body', 'content', 'method', 'path', 'paginationField', 'schema', 'searchParams', 'sideEffect']

  test.each(['Todos.get.extend({ | })', "Todos.extend('get', { | })"])(
    '%s: those that types follow from, too',
    (code) => {
      expect(editor.offered(code)).toEqual(expect.arrayContaining([...generics, 'dataExpiryLength', 'getHeaders']))
    },
  )

  test('the usual methods', () => {
    for (const code of ["new RestEndpoint({ path: '/a', method: '|' })", "Todos.get.extend({ method: '|' })"]) {
      expect(editor.offered(code)).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']))
    }
    expect(editor.complaints("new RestEndpoint({ path: '/a', method: 'PURGE' })({})")).toEqual([])
  })
})

describe('a body', () => {
  test.each([
    'controller.fetch(Todos.partialUpdate, { id: 1 }, { | })',
    'controller.fetch(Todos.update, { id: 1 }, { | })',
    'controller.fetch(Todos.getList.move, { id: 1 }, { | })',
    'Todos.partialUpdate({ id: 1 }, { | })',
  ])('%s offers fields, not the methods of a form', (code) => {
    expect(editor.offered(code)).toEqual(['done', 'id', 'title'])
  })

  test('may be a form all the same', () => {
    expect(editor.complaints('controller.fetch(Todos.partialUpdate, { id: 1 }, new FormData())')).toEqual([])
    expect(editor.complaints('controller.fetch(Todos.create, new FormData())')).toEqual([])
    expect(editor.complaints('controller.fetch(Todos.partialUpdate, { id: 1 }, { titel: 1 })')).toMatchObject([
      { at: 'titel' },
    ])
    expect(editor.complaints('controller.fetch(Todos.partialUpdate, { id: 1 }, 5)')).toHaveLength(1)
  })
})

describe('an option', () => {
  test.each([
    ["new RestEndpoint({ path: '/a', pollFrequency: '5' })", 'pollFrequency', 'number'],
    ["new RestEndpoint({ path: '/a', invalidIfStale: 'yes' })", 'invalidIfStale', 'boolean'],
    ["new RestEndpoint({ path: '/a', urlPrefix: 5 })", 'urlPrefix', 'string'],
    ["Todos.get.extend({ dataExpiryLength: '5' })", 'dataExpiryLength', 'number'],
    ["Todos.extend('get', { timeout: '5' })", 'timeout', 'number'],
    ["resource({ path: '/a/:id', schema: Todo, errorExpiryLength: '5' })", 'errorExpiryLength', 'number'],
    ["new RestEndpoint({ path: '/a', retry: 3 })", 'retry', 'RequestPart'],
  ])('%s: the error names the type that is expected', (code, at, expected) => {
    const found = expect.stringMatching(RegExp(`is not assignable to type '${expected}\\b`))
    expect(editor.complaints(code)).toEqual([{ at, lines: [found] }])
  })

  test.each([
    ["Todos.get.extend({ dataExpiryLength: '5' })", 'dataExpiryLength'],
    ['Todos.get.extend({ pollFrequencyy: 5 })', 'pollFrequencyy'],
    ["new RestEndpoint({ path: '/x', pollFrequencyy: 5 })", 'pollFrequencyy'],
    ['controller.setResponse(Todos.get, { id: 5 }, { title: 5 })', 'title'],
  ])('%s: the mistake is reported there', (code, at) => {
    const complaints = editor.complaints(code)
    expect(complaints).toMatchObject([{ at }])
    expect(complaints[0]?.lines.length).toBeLessThanOrEqual(3)
  })

  test('that is misspelt is reported with the right name', () => {
    expect(editor.complaints('Todos.get.extend({ pollFrequencyy: 5 })')[0]?.lines.join()).toContain(
      'did you mean pollFrequency?',
    )
  })
})

test('params and search params are one object in tooltips and errors', () => {
  const both = "new RestEndpoint({ path: '/in/:in', searchParams: {} as { q: string } })"
  expect(editor.complaints(`${both}({ in: 5 })`)[0]?.lines.join()).toContain("type '{ in: PathParam; q: string; }'")
  expect(editor.hover(`const e = ${both}; type Params| = Parameters<typeof e>`)).toContain('q: string')
  expect(editor.complaints('Todos.getList.paginated("page")({})')[0]?.lines.join()).not.toContain('Collection')
})

test('an accessor’s type does not repeat that of its endpoint', () => {
  expect(editor.hover('Todos.create|').match(/paginationField|userId/g)).toHaveLength(2)
  expect(editor.hover('const get| = Todos.get.extend({ accessToken: "" })')).not.toMatch(/Omit|Added/)
})

test.each([
  ['const shown| = react.useSuspense(Todos.get, { id: 5 })', 'const shown: Todo'],
  ['const shown| = react.useDLE(Todos.getList, { userId: 5 })', 'const shown: react.DLE<readonly Todo[]>'],
  ['const shown| = vue.useSuspense(Todos.get, { id: 5 })', 'const shown: Promise<vue.Loaded<Todo>>'],
  ['const shown| = vue.useDLE(Todos.get, { id: 5 })', 'const shown: vue.DLE<Todo>'],
  ['const shown| = svelte.useDLE(Todos.get, () => ({ id: 5 }))', 'const shown: svelte.DLE<Todo>'],
  ["const shown| = await controller.fetch(Todos.create, { title: '' })", 'const shown: Todo | null'],
])('what is read is one line under the pointer: %s', (code, line) => {
  expect(editor.hover(code)).toBe(line)
})

test('an endpoint under the pointer is what defines it and what a call resolves with', () => {
  expect(editor.hover('getMe|').split('\n')).toHaveLength(4)
  expect(editor.hover('Todos.get|').split('\n')).toHaveLength(4)
  for (const member of ['getList', 'partialUpdate', 'delete'])
    expect(editor.hover(`Todos.${member}|`).split('\n').length, member).toBeLessThanOrEqual(8)
  for (const member of ['create', 'getList.push', 'getList.move'])
    expect(editor.hover(`Todos.${member}|`).split('\n').length, member).toBeLessThanOrEqual(11)
})

test('an error names what the attribute of a Union may be', () => {
  const [{ lines } = { lines: [] }] = editor.complaints("new Union({ todo: Todo }, 'kind')")
  expect(lines.join()).toMatch(/DataField<Todo> \|/)
})

test('an endpoint’s type names the result of a call, where it was any', () => {
  expect(editor.hover('Todos.get|')).not.toContain('any')
  expect(editor.hover('Todos.getList|')).not.toContain('any')
})

describe('a wrong argument is reported at its place, in a few lines', () => {
  const mistakes: readonly (readonly [args: string, at: string | RegExp, lines?: number])[] = [
    ['(Todos.get, { idd: 5 })', 'idd'],
    ['(Todos.get, { id: 5, other: 1 })', /^(?:other|id)$/],
    ['(Todos.get, 5)', '5'],
    ['(byKind, { kind: "other" })', /^(?:kind|\{ kind: "other" \})$/],
    ['(getMe, { id: 5 })', /^(?:\{ id: 5 \}|id)$/],
    ['(Todos, { id: 5 })', 'Todos'],
    ['(Todos.get({ id: 5 }))', 'Todos.get({ id: 5 })'],
    ['(Todos.partialUpdate, { id: 5 }, { done: true })', 'Todos.partialUpdate', 4],
    ['(Todos.get, maybe ? { idd: 5 } : null)', /idd/, 4],
  ]
  const cases = hooks.flatMap((hook) => mistakes.map(([args, at, lines]) => [hook + args, at, lines ?? 3] as const))
  test.each(cases)('%s', (code, at, lines) => {
    const complaints = editor.complaints(code)
    expect(complaints).toEqual([
      { at: typeof at === 'string' ? at : expect.stringMatching(at), lines: expect.any(Array) },
    ])
    expect(complaints[0]?.lines.length).toBeLessThanOrEqual(lines)
    expect(complaints[0]?.lines.join()).not.toContain('No overload')
  })

  test.each([
    ['controller.fetch(Todos.get, { idd: 5 })', 'idd'],
    ['controller.fetch(Todos.get, 5)', '5'],
    ['controller.fetch(Todos.partialUpdate, { id: 5 }, { titel: "" })', 'titel'],
    ['controller.fetch(Todos, { id: 5 })', 'Todos'],
    ['controller.fetch(Todos.get({ id: 5 }))', 'Todos.get({ id: 5 })'],
    ['controller.fetch(Todos.get)', 'fetch'],
  ])('%s', (code, at) => {
    const complaints = editor.complaints(code)
    expect(complaints).toMatchObject([{ at }])
    expect(complaints[0]?.lines.length).toBeLessThanOrEqual(3)
    expect(complaints[0]?.lines.join()).not.toContain('No overload')
  })

  test.each([
    ...hooks.map((hook) => `${hook}(Todos.partialUpdate, ${argsFor(hook)})`),
    ...suspends.map((hook) => `${hook}([getMe], [Todos.partialUpdate, ${argsFor(hook)}])`),
    'controller.watch(Todos.partialUpdate, { id: 5 }, { done: true })',
  ])('%s: a sentence says how a mutation is sent', (code) => {
    const [{ at, lines } = { at: '', lines: [] }] = editor.complaints(code)
    expect(at).toBe('Todos.partialUpdate')
    expect(lines.at(-1)).toContain('send it with controller.fetch')
    expect(lines.length).toBeLessThanOrEqual(4)
  })

  test.each([
    'react.useQuery(Todos.get, { id: 5 })',
    'vue.useQuery(Todos.get, { id: 5 })',
    'svelte.useQuery(Todos.get, () => [{ id: 5 }])',
    'controller.get(Todos.get, { id: 5 })',
    'controller.view(Todos.get, { id: 5 })',
  ])('%s: a sentence says how an endpoint is read', (code) => {
    const remedy = expect.stringContaining('an endpoint is read by useDLE, useSuspense')
    expect(editor.complaints(code)).toMatchObject([{ at: 'Todos.get', lines: [{}, remedy] }])
  })

  test('a Collection of a class: a sentence says how it is written', () => {
    const remedy = expect.stringContaining('such as [Todo], or of new Values(Todo)')
    expect(editor.complaints('new Collection(Todo)')).toMatchObject([{ at: 'Todo', lines: [{}, remedy] }])
    expect(editor.complaints('new Collection([Todo])')).toEqual([])
  })

  test.each(suspends)('%s: in parallel reads', (call) => {
    expect(editor.complaints(`${call}([Todos.get, { idd: 5 }])`)).toMatchObject([{ at: 'idd', lines: [{}] }])
    expect(editor.complaints(`${call}([getMe], [Todos.get, { id: 5, other: 1 }])`)).toMatchObject([
      { at: 'other', lines: [{}] },
    ])
    expect(editor.complaints(`${call}([getMe], [Todos.getList], [Todos.getList, { userId: 'a' }])`)).toHaveLength(1)
    expect(editor.complaints(`${call}([getMe], [Todos.get])`)).toHaveLength(1)
    expect(editor.complaints(`${call}([getMe], [Todos])`)).toMatchObject([{ at: 'Todos' }])
    const mutation = editor.complaints(`${call}([getMe], [Todos.partialUpdate, { id: 5 }, {}])`)
    expect(mutation[0]).toMatchObject({ at: 'Todos.partialUpdate' })
  })

  test.each(suspends)('%s: undefined for "not yet", with the hint to pass null', (hook) => {
    for (const none of ['undefined', 'maybe ? { id: 5 } : undefined']) {
      const [{ lines } = { lines: [] }, ...others] = editor.complaints(`${hook}(Todos.get, ${none})`)
      expect(lines.join()).toContain('pass null to fetch nothing yet')
      expect([lines.length <= 4, others]).toEqual([true, []])
    }
    const ofField = editor.complaints(`${hook}(Todos.get, { id: maybe ? 5 : undefined })`)
    expect(ofField[0]?.lines.join()).not.toContain('yet')
  })

  test('a missing argument is reported in numbers', () => {
    for (const hook of ['react.useSuspense', 'react.useDLE', 'vue.useSuspense']) {
      expect(editor.complaints(`${hook}(Todos.get)`)).toMatchObject([{ lines: ['Expected 2 arguments, but got 1.'] }])
    }
    expect(editor.complaints('react.useDLE(search, { in: 1 })')).toMatchObject([
      { lines: ['Expected 3 arguments, but got 2.'] },
    ])
  })
})

describe('correct code', () => {
  const right = [
    ['react.useSuspense(Todos.get, { id: 5 })', 'Todo'],
    ['react.useSuspense(Todos.get, maybe ? { id: 5 } : null)', 'Todo | undefined'],
    ['react.useSuspense(getMe)', 'Todo'],
    ['react.useSuspense(getMe, null)', 'Todo | undefined'],
    ['react.useSuspense(search, maybe ? { in: 5 } : null, { text: "a" })', 'readonly Todo[] | undefined'],
    [
      'react.useSuspense([getMe], [Todos.getList, { userId: 1 }], [byKind, { kind: "bug" }])',
      '[Todo, readonly Todo[], readonly Todo[]]',
    ],
    ['react.useFetch(Todos.get, { id: 5 })', 'Promise<Todo>'],
    ['vue.useSuspense(Todos.get, () => ({ id: 5 }))', 'Promise<vue.Loaded<Todo>>'],
    ['vue.useSuspense(byKind, () => ({ kind: "bug" }))', 'Promise<vue.Loaded<readonly Todo[]>>'],
    ['vue.useSuspense(Todos.get, () => (maybe ? { id: 5 } : null))', 'Promise<vue.Loaded<Todo | undefined>>'],
    ['svelte.useSuspense(Todos.get, () => [{ id: 5 }])', 'Promise<svelte.Loaded<Todo>>'],
    ['svelte.useSuspense(byKind, () => [{ kind: "bug" }])', 'Promise<svelte.Loaded<readonly Todo[]>>'],
    ['svelte.useSuspense(search, () => [{ in: 5 }, { text: "a" }])', 'Promise<svelte.Loaded<readonly Todo[]>>'],
    ['svelte.useSuspense(Todos.get, () => (maybe ? [{ id: 5 }] : null))', 'Promise<svelte.Loaded<Todo | undefined>>'],
    [
      'svelte.useSuspense([getMe], [Todos.get, () => [{ id: 5 }]])',
      'Promise<[svelte.Loaded<Todo>, svelte.Loaded<Todo>]>',
    ],
  ] as const
  test.each(right)('%s is %s', (code, type) => {
    const check = `const is: <T>() => T extends ${type} ? 1 : 2 = null! as <T>() => T extends typeof found ? 1 : 2`
    expect(editor.complaints(`const found = ${code}\n${check}`)).toEqual([])
  })

  test('an array of reads', () => {
    const reads = 'const ids = [1, 2]; const reads = ids.map((id) => [Todos.get, { id }] as const)'
    for (const of of ['react', 'vue', 'svelte']) {
      expect(editor.complaints(`${reads}; ${of}.useSuspense(...reads)`)).toEqual([])
      expect(editor.complaints(`${reads.replace('{ id }', '{ idd: id }')}; ${of}.useSuspense(...reads)`)).toHaveLength(
        1,
      )
    }
    expect(editor.complaints(`${reads}; const all: readonly Todo[] = react.useSuspense(...reads)`)).toEqual([])
  })

  test('a function that is generic over endpoints', () => {
    const wrap = (of: string, data: string) => `
      function useIt<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ${data} {
        return ${of}(endpoint, ...args)
      }`
    expect(editor.complaints(wrap('react.useSuspense', 'EndpointData<E>'))).toEqual([])
    expect(editor.complaints(wrap('react.useLive', 'EndpointData<E>'))).toEqual([])
    expect(editor.complaints(wrap('react.useDLE', 'react.DLE<EndpointData<E>>'))).toEqual([])
    expect(editor.complaints(wrap('svelte.useSuspense', 'Promise<svelte.Loaded<EndpointData<E>>>'))).toEqual([])
  })
})
