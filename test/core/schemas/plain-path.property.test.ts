import { Controller, Endpoint, Entity, type EntityInterface, transfer } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock } from '../engine/clock.js'

/** Classes whose lifecycle is the default's, or does the same by overrides: these take the way of all other classes. */
function classes(isPlain: boolean) {
  class Plain extends Entity {
    id = ''
  }
  class Overridden extends Entity {
    static override process(input: object): object {
      return { ...input }
    }
    static override merge(existing: object, incoming: object): Record<string, unknown> {
      return { ...existing, ...incoming }
    }
    static override validate(): undefined {}
    id = ''
  }
  const Base = isPlain ? Plain : Overridden
  class User extends Base {
    static override key = 'User'
    name = ''
    age = 0
  }
  class Tag extends Base {
    static override key = 'Tag'
    label = ''
    at: Date | undefined = undefined
    static override schema = { at: (iso: string) => new Date(iso) }
  }
  class Task extends Base {
    static override key = 'Task'
    title = ''
    user: User | undefined = undefined
    tags: Tag[] = []
    parent: Task | undefined = undefined
  }
  // A member of every object as a relation: it is no field where a record lacks it.
  Object.assign(Task, { schema: { user: User, tags: [Tag], parent: Task, toString: User } })
  return { User, Tag, Task }
}

const id = fc.constantFrom('1', '2', '3', '4')
const user = fc.record({ id, name: fc.constantFrom('Ann', 'Bo'), age: fc.nat(2) }, { requiredKeys: ['id'] })
const tag = fc.record({ id, label: fc.constantFrom('a', 'b'), at: fc.constant('2026-01-01') }, { requiredKeys: ['id'] })
const { task } = fc.letrec<{ task: object }>((tie) => ({
  task: fc.record(
    {
      id,
      title: fc.constantFrom('x', 'y'),
      user: fc.oneof(user, id, fc.constant(null)),
      tags: fc.array(fc.oneof(tag, id), { maxLength: 3 }),
      parent: fc.oneof({ depthSize: 'small' }, fc.constant(null), tie('task')),
      toString: user,
      note: fc.constantFrom({ deep: [1] }, { deep: [2] }),
    },
    { requiredKeys: ['id'] },
  ),
}))
const step = fc.oneof(
  fc.record({ write: fc.constant('tasks' as const), data: fc.array(task, { maxLength: 5 }) }),
  fc.record({ write: fc.constant('task' as const), data: task }),
  fc.record({ write: fc.constant('users' as const), data: fc.array(user, { maxLength: 3 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What readers see of one family of classes: the values, which of them kept their references, and who was notified. */
function play(isPlain: boolean, isTransferred: boolean) {
  const { User, Tag, Task } = classes(isPlain)
  const controller = new Controller({ env: new HandClock() })
  const never = async (): Promise<never> => new Promise(() => {})
  const endpoints = {
    tasks: new Endpoint(never, { name: 'tasks', schema: [Task] }),
    task: new Endpoint(never, { name: 'task', schema: Task }),
    users: new Endpoint(never, { name: 'users', schema: [User] }),
  }
  const ids = ['1', '2', '3', '4']
  let notified: number[] = []
  const observers = [
    ...Object.values(endpoints).map((endpoint) => controller.peek(endpoint as typeof endpoints.tasks)),
    ...[User, Tag, Task].flatMap((entity: EntityInterface) => ids.map((pk) => controller.view(entity, { id: pk }))),
  ]
  observers.forEach((observer, i) => {
    observer.subscribe(() => void notified.push(i))
  })
  let before = new Map<string, unknown>()
  return ({ write, data }: Step) => {
    notified = []
    // As JSON comes: no part of it stands in two places.
    const response: unknown = JSON.parse(JSON.stringify(data))
    controller.setResponse(
      endpoints[write] as typeof endpoints.tasks,
      (isTransferred ? transfer(response) : response) as never,
    )
    const values = observers.map((observer) => observer.getSnapshot())
    const parts = new Map<string, unknown>()
    values.forEach((value, i) => {
      parts.set(`${i}`, value)
      for (const [name, part] of Object.entries(value ?? {})) parts.set(`${i}.${name}`, part)
    })
    const kept = [...parts].flatMap(([name, part]) => (part === before.get(name) ? [name] : [])).sort()
    before = parts
    return { values, kept, notified }
  }
}

test('classes with the default lifecycle show, keep and notify of what classes do that override it with the same', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), (steps, isTransferred) => {
      const [plain, overridden] = [play(true, isTransferred), play(false, isTransferred)]
      for (const each of steps) expect(plain(each)).toEqual(overridden(each))
    }),
    { numRuns: cases(300) },
  )
})
