import { expectTypeOf, test } from 'vitest'
import { Controller } from '../../core/src/client/controller.js'
import { Collection } from '../../core/src/collections/collection.js'
import { Entity } from '../../core/src/schema/entity.js'
import { Values } from '../../core/src/schema/values.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { author: User, done: (given: '0' | '1') => given === '1' }
  id = 0
  title = ''
  due: Date | null = null
  author = new User()
  done = false
}

const controller = new Controller()
const todos = new Collection([Todo], { argsKey: ({ author }: { author: string }) => ({ author }) })

test('an entity takes its fields, nested ones as an answer brings them', () => {
  controller.set(Todo, { id: 5 }, { title: 'Sharpen', due: '2026-01-01', author: { id: '1' }, done: '1' })
  // @ts-expect-error there is no such field
  controller.set(Todo, { id: 5 }, { titel: 'Sharpen' })
  // @ts-expect-error a title is a string
  controller.set(Todo, { id: 5 }, { title: 5 })
  // @ts-expect-error there is no such field
  controller.set(Todo, { nr: 5 }, { title: 'Sharpen' })
})

test('a function gets what is there, if it is there', () => {
  controller.set(Todo, { id: 5 }, (todo) => {
    expectTypeOf(todo).toEqualTypeOf<Todo | undefined>()
    return todo && { title: `${todo.title}!` }
  })
  controller.set(todos, { author: '1' }, (before) => {
    expectTypeOf(before).toEqualTypeOf<readonly Todo[] | undefined>()
    return before?.filter(({ done }) => !done)
  })
  // @ts-expect-error a title is a string
  controller.set(Todo, { id: 5 }, () => ({ title: 5 }))
})

test('a list takes members', () => {
  controller.set(todos, { author: '1' }, [{ id: 1, title: 'One' }])
  // @ts-expect-error a list is not a member
  controller.set(todos, { author: '1' }, { id: 1 })
  // @ts-expect-error a title is a string
  controller.set(todos, { author: '1' }, [{ id: 1, title: 1 }])
  const byName = new Collection(new Values(Todo), { argsKey: ({ author }: { author: string }) => ({ author }) })
  controller.set(byName, { author: '1' }, { one: { id: 1 } })
})
