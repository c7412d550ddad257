import { Controller, Entity, RestEndpoint } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

// `[Todo]` is short for `new schema.Array(Todo)`.
const search = new RestEndpoint({
  path: '/search',
  searchParams: {} as { q: string },
  schema: [Todo],
})

const controller = new Controller()
controller.setResponse(search, { q: 'p' }, [
  { id: 1, title: 'Pen' },
  { id: 2, title: 'Paper' },
])
controller.set(Todo, { id: 2 }, { title: 'Pencil' })
const { data } = controller.getResponse(search, { q: 'p' })
console.log(data?.map(({ title }) => title)) // → [ 'Pen', 'Pencil' ]
