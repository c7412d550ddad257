import { Collection, Controller, denormalize, Entity, normalize } from '@roundtable/core'
import { expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User, friend: User }
  id = ''
  title = ''
  user = User.fromJS({})
  friend: User | undefined = undefined
}

test('normalize gives what the table keeps, denormalize what is shown', () => {
  expectTypeOf(normalize({ list: [Todo], total: 0 }, {}).result).toEqualTypeOf<{ list: string[]; total: number }>()
  expectTypeOf(normalize(new Collection([Todo]), []).result).toEqualTypeOf<string | undefined>()
  expectTypeOf(denormalize(Todo, '5', {})).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(denormalize([Todo], ['5'], {})).toEqualTypeOf<readonly Todo[] | undefined>()
})

test('a required nested entity is there, an optional one may be missing', () => {
  const todo = denormalize(Todo, '5', {})
  expectTypeOf(todo?.user).toEqualTypeOf<User | undefined>()
  expectTypeOf<Todo['user']>().toEqualTypeOf<User>()
  expectTypeOf<Todo['friend']>().toEqualTypeOf<User | undefined>()
})

test('answers are made old by the entity that they show', () => {
  const controller = new Controller()
  controller.invalidateBy(Todo)
  controller.expireBy(Todo, 5)
  // @ts-expect-error an instance is no class
  controller.expireBy(Todo.fromJS({}))
})
