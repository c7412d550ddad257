import { Controller } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const controller = new Controller()
controller.setResponse(TodoResource.getList, { userId: 1 }, [
  { id: 1, userId: 1, title: 'Write' },
])
controller.set(Todo, { id: 1 }, { title: 'Rewrite' })
controller.set(Todo, { id: 1 }, (previous) => ({
  title: `${previous?.title ?? ''} it`,
}))
console.log(
  controller.getResponse(TodoResource.getList, { userId: 1 }).data?.[0]
    ?.title,
) // → Rewrite it
controller.dispose()
