import { TodoResource } from './api.js'
import { controller } from './controller.js'

/** For a router: loads the data before the page is rendered. */
export async function loader(id: number) {
  const todo = await controller.fetchIfStale(TodoResource.get, { id })
  return { title: todo?.title }
}
