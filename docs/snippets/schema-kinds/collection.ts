import {
  Collection,
  Controller,
  Entity,
  RestEndpoint,
} from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
}

const getTodos = new RestEndpoint({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos',
  searchParams: {} as { userId?: number; orderBy?: string },
  schema: new Collection([Todo], { nonFilterArgumentKeys: ['orderBy'] }),
})

const controller = new Controller()
controller.setResponse(getTodos, { userId: 1 }, [])
controller.setResponse(getTodos, { userId: 2 }, [])
controller.setResponse(getTodos, { orderBy: 'title' }, [])
await controller.fetch(getTodos.push, { userId: 1 })
const length = (args: { userId?: number; orderBy?: string }) =>
  controller.getResponse(getTodos, args).data?.length
console.log(length({ userId: 1 }), length({ userId: 2 })) // → 1 0
console.log(length({ orderBy: 'title' })) // → 1
