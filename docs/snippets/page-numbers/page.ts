import { Controller } from '@roundtable/core'
import { getPage, TodoResource } from './api.js'

// A server with pages of two.
let todos = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Todo ${id}` }))
const transport = async (input: unknown, { method }: RequestInit) => {
  const url = new URL(String(input))
  if (method === 'DELETE') {
    todos = todos.filter(({ id }) => url.pathname !== `/todos/${id}`)
    return new Response(null, { status: 204 })
  }
  const from = (Number(url.searchParams.get('page')) - 1) * 2
  const data = todos.slice(from, from + 2)
  return Response.json({ data, pages: Math.ceil(todos.length / 2) })
}

const controller = new Controller({ transport })
const second = controller.watch(getPage, { page: 2 })
const show = () => {
  const list = second.getSnapshot().data
  console.log(list?.data.map(({ id }) => id).join(), 'of', list?.pages)
}
await second.load()
show() // → 3,4 of 3
second.subscribe(show)
await controller.fetch(TodoResource.delete, { id: 3 }) // → 4 of 3
await second.refetch() // → 4,5 of 2
controller.dispose()
