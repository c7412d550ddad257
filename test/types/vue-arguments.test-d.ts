import { Endpoint, Entity, resource } from '@roundtable/core'
import { type ReadonlyRef, useCache, useDLE, useQuery, useSuspense } from '@roundtable/vue'
import { expectTypeOf, test } from 'vitest'
import { computed, ref, shallowRef } from 'vue'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const TodoResource = resource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number; done?: boolean },
})
const getMe = new Endpoint(async () => 'Ada', { name: 'getMe' })
const getNumbered = new Endpoint(async (id: number) => id, { name: 'getNumbered' })
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it
const getAny = new Endpoint(async (given: any) => given, { name: 'getAny' })

test('fields of an argument may be refs', () => {
  const id = ref(5)
  expectTypeOf(useDLE(TodoResource.get, { id }).data).toEqualTypeOf<ReadonlyRef<Todo | undefined>>()
  useDLE(TodoResource.get, { id: computed(() => 5) })
  useDLE(TodoResource.get, () => ({ id: shallowRef('5') }))
  useCache(TodoResource.getList, { userId: ref(5), done: true })
  useQuery(Todo, { id })
  useSuspense([TodoResource.get, { id }], [TodoResource.getList, { userId: id }])
})

test('values, refs and getters of a whole argument are taken as before', () => {
  useDLE(TodoResource.get, { id: 5 })
  useDLE(TodoResource.get, ref({ id: 5 }))
  useDLE(TodoResource.get, () => ({ id: 5 }))
  useDLE(
    TodoResource.get,
    computed(() => ({ id: 5 })),
  )
  useDLE(getNumbered, 5)
  useDLE(getNumbered, ref(5))
  useDLE(getAny, 5)
  useDLE(getAny, { anything: ref(5) })
})

test('a ref of something else is refused', () => {
  // @ts-expect-error an id is text or a number
  useDLE(TodoResource.get, { id: ref(true) })
  // @ts-expect-error there is no such param
  useDLE(TodoResource.get, { ids: ref(5) })
  // @ts-expect-error the argument is a number
  useDLE(getNumbered, ref('5'))
})

test('"not yet" is null, also where there are no arguments', () => {
  const token = ref<string>()
  useDLE(getMe)
  useDLE(getMe, null)
  useDLE(getMe, () => (token.value ? undefined : null))
  useSuspense(getMe, () => (token.value ? undefined : null))
  useDLE(TodoResource.get, () => (token.value ? { id: 5 } : null))
  useDLE(TodoResource.getList, () => (token.value ? undefined : null))
  // @ts-expect-error it takes no argument
  useDLE(getMe, () => (token.value ? 5 : null))
})
