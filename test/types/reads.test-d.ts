import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  type ErrorWithStatus,
  initial,
  keepPrevious,
  pagesOf,
  type ReadEndpoint,
  RestEndpoint,
  resource,
  select,
} from '@roundtable/core'
import { useDLE, useError, useFetching, useMutating, usePages, useSuspense } from '@roundtable/react'
import {
  type Current,
  useDLE as useSvelteDLE,
  useMutating as useSvelteMutating,
  useSuspense as useSvelteSuspense,
} from '@roundtable/svelte'
import { type Reactive, type ReadonlyRef, useDLE as useVueDLE, useError as useVueError } from '@roundtable/vue'
import { expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const TodoResource = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { userId?: number } })
const getMe = new Endpoint(async () => 'Ada', { name: 'getMe' })

test('data, loading and error tell each other apart; the rest is there whatever they are', () => {
  const { data, loading, error, refreshing, refetch } = useDLE(TodoResource.get, { id: 5 })
  expectTypeOf(refreshing).toEqualTypeOf<boolean>()
  expectTypeOf(refetch).toEqualTypeOf<() => Promise<void>>()
  if (!loading && !error) expectTypeOf(data).toEqualTypeOf<Todo>()
  if (error) expectTypeOf(data).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useVueDLE(getMe).refreshing).toEqualTypeOf<ReadonlyRef<boolean>>()
  expectTypeOf(useSvelteDLE(getMe).refreshing).toEqualTypeOf<boolean>()
})

test('a generic function passes its arguments on', () => {
  const ofReact = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => useDLE(endpoint, ...args).data
  const ofVue = <E extends ReadEndpoint>(endpoint: E, ...args: Reactive<Parameters<E>>) =>
    useVueDLE(endpoint, ...args).data
  const ofSvelte = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => useSvelteDLE(endpoint, ...args).data
  expectTypeOf(ofReact(TodoResource.get, { id: 5 })).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(ofVue(TodoResource.get, () => ({ id: 5 }))).toEqualTypeOf<ReadonlyRef<Todo | undefined>>()
  expectTypeOf(ofSvelte(TodoResource.get, { id: 5 })).toEqualTypeOf<Todo | undefined>()
})

test('a snapshot is one of four', () => {
  const snapshot = new Controller().watch(TodoResource.get, { id: 5 }).getSnapshot()
  expectTypeOf(snapshot.refreshing).toEqualTypeOf<boolean>()
  if (snapshot.status === 'ready') expectTypeOf(snapshot.data).toEqualTypeOf<Todo>()
  if (snapshot.loading) expectTypeOf(snapshot.status).toEqualTypeOf<'pending'>()
})

test('a marked endpoint has the arguments of its own and the data of its mark', () => {
  const count = select(TodoResource.getList, (todos) => todos.length)
  expectTypeOf(useSuspense(count, { userId: 1 })).toEqualTypeOf<number>()
  expectTypeOf(useSuspense(count, null as { userId: number } | null)).toEqualTypeOf<number | undefined>()
  expectTypeOf(useSuspense(keepPrevious(TodoResource.get), { id: 5 })).toEqualTypeOf<Todo>()
  expectTypeOf(useSuspense(keepPrevious(select(getMe, (name) => name.length)))).toEqualTypeOf<number>()
  expectTypeOf(useVueDLE(initial(TodoResource.getList, []), { userId: 1 }).data).toEqualTypeOf<
    ReadonlyRef<readonly Todo[] | undefined>
  >()
  // @ts-expect-error no such param
  useSuspense(count, { done: true })
  // @ts-expect-error the param is missing
  useSuspense(keepPrevious(TodoResource.get))
  // @ts-expect-error not the data of the endpoint
  initial(getMe, 5)
  // @ts-expect-error a mutation is not read
  keepPrevious(TodoResource.update)
})

test('what is in flight and what failed', () => {
  expectTypeOf(useFetching()).toEqualTypeOf<boolean>()
  expectTypeOf(useFetching(TodoResource.get, { id: 5 })).toEqualTypeOf<boolean>()
  expectTypeOf(useMutating(TodoResource.update)).toEqualTypeOf<boolean>()
  expectTypeOf(useSvelteMutating()).toEqualTypeOf<Current<boolean>>()
  expectTypeOf(useError(TodoResource.get, { id: 5 })).toEqualTypeOf<ErrorWithStatus | undefined>()
  expectTypeOf(useVueError(TodoResource.get, () => ({ id: 5 }))).toEqualTypeOf<
    ReadonlyRef<ErrorWithStatus | undefined>
  >()
  // @ts-expect-error the param is missing
  useFetching(TodoResource.get, {})
  // @ts-expect-error a read
  useMutating(TodoResource.get)
})

test("the thunks of Svelte's parallel reads return the arguments, with or without brackets", async () => {
  const [todo, todos, same] = await useSvelteSuspense(
    [TodoResource.get, () => ({ id: 5 })],
    [TodoResource.getList, () => ({})],
    [TodoResource.get, () => [{ id: 5 }]],
  )
  expectTypeOf(todo.current).toEqualTypeOf<Todo>()
  expectTypeOf(todos.current).toEqualTypeOf<readonly Todo[]>()
  expectTypeOf(same.current).toEqualTypeOf<Todo>()
  // @ts-expect-error another param
  await useSvelteSuspense([TodoResource.getList], [TodoResource.get, () => ({ ix: 5 })])
})

test('pages have the data of their list, and nextPage that of a page', () => {
  const getFeed = new RestEndpoint({
    path: '/feed',
    searchParams: {} as { topic: string },
    schema: { items: new Collection([Todo]), next: '' },
    paginationField: 'cursor',
    nextPage: ({ response, items, index }) => {
      expectTypeOf(response.next).toEqualTypeOf<string>()
      expectTypeOf(items).toEqualTypeOf<readonly Todo[]>()
      expectTypeOf(index).toEqualTypeOf<number>()
      return response.next ? { cursor: response.next } : undefined
    },
    refreshPages: 'first',
  })
  const { data, hasNext, fetchNext } = usePages(getFeed, { topic: 'a' })
  expectTypeOf(data?.items).toEqualTypeOf<readonly Todo[] | undefined>()
  expectTypeOf(hasNext).toEqualTypeOf<boolean | undefined>()
  expectTypeOf(fetchNext).toEqualTypeOf<() => Promise<void>>()
  expectTypeOf(pagesOf(new Controller(), getFeed, { topic: 'a' }).getSnapshot().pages).toEqualTypeOf<number>()
  // @ts-expect-error the param is missing
  usePages(getFeed, {})
  const marked = usePages(
    select(getFeed, ({ items }) => items.length),
    { topic: 'a' },
  )
  expectTypeOf(marked.data).toEqualTypeOf<number | undefined>()
  const getAll = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) })
  // @ts-expect-error without paginationField there are no pages
  usePages(getAll)
  // @ts-expect-error nor marked
  usePages(select(getAll, (items: readonly Todo[]) => items.length))
  // @ts-expect-error nor in a script
  pagesOf(new Controller(), getAll)
  const getPlain = new RestEndpoint({ path: '/todos', schema: [Todo], paginationField: 'page' })
  // @ts-expect-error nor without a Collection
  usePages(getPlain)
  // @ts-expect-error not a choice
  getFeed.extend({ refreshPages: 'last' })
  // @ts-expect-error no object
  getFeed.extend({ nextPage: () => 5 })
})
