import { All, Controller, Entity } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  done = false
}

const openTodos = new All(Todo, { belongs: (todo) => !todo.done })

const controller = new Controller()
controller.set(Todo, { id: 1 }, { done: false })
controller.set(Todo, { id: 2 }, { done: true })
console.log(controller.get(openTodos)?.length) // → 1
