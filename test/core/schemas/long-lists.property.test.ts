import { Collection, Controller, Endpoint, Entity, Invalidate } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock } from '../engine/clock.js'

class Task extends Entity {
  static override key = 'Task'
  static override schema = {}
  id = ''
  title = ''
  next: Task | undefined = undefined
  board: Board | undefined = undefined
}
class Board extends Entity {
  static override key = 'Board'
  static override schema = {}
  id = ''
  tasks: readonly Task[] = []
}
const collection = new Collection([Task])
// A member may lead to another one, and back to the list itself.
Task.schema = { next: Task, board: Board }
Board.schema = { tasks: collection }

const SIZE = 10
const ids = Array.from({ length: SIZE }, (_, i) => `t${i}`)
const kinds = ['push', 'remove', 'move', 'replace', 'reverse', 'title', 'link', 'delete'] as const

interface Edit {
  readonly kind: (typeof kinds)[number]
  readonly from: number
  readonly to: number
  readonly id: string
  readonly isRead: boolean
}
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.nat(SIZE),
  to: fc.nat(SIZE),
  id: fc.constantFrom(...ids),
  isRead: fc.boolean(),
})

interface Data {
  readonly title: string
  readonly next?: string
  /** How often it was deleted before: one that comes back is another object. */
  readonly life?: number
}

/** The members after an edit. */
function edited(members: readonly string[], { kind, from, to, id }: Edit, mayRepeat: boolean): readonly string[] {
  const next = [...members]
  const at = from % (next.length + 1)
  if (kind === 'push') next.splice(at, 0, id)
  else if (kind === 'remove') next.splice(at, 1 + (to % 3))
  else if (kind === 'move') next.splice(to, 0, ...next.splice(at, 1))
  else if (kind === 'replace') next.splice(at, 1, id)
  else next.reverse()
  return mayRepeat ? next : [...new Set(next)]
}

/** A controller before the naive truth: members by their keys, and what each task holds. */
function play(schema: (typeof Task)[], start: readonly string[], isWatched: boolean) {
  const controller = new Controller({ env: new HandClock(), retention: false })
  const getTasks = new Endpoint(async () => [], { name: 'tasks', schema })
  const getTask = new Endpoint(async (_: { readonly id: string }) => ({}), { name: 'task', schema: Task })
  const remove = new Endpoint(async (_: { readonly id: string }) => ({}), {
    name: 'remove',
    schema: new Invalidate(Task),
    sideEffect: true,
  })
  const tasks = new Map<string, Data>()
  const gone = new Set<string>()
  let life = 0
  let members = start
  const sent = (id: string) => {
    gone.delete(id)
    // A task that was deleted begins anew.
    if (!tasks.has(id)) tasks.set(id, { title: 'new', life: ++life })
    const { title, next } = tasks.get(id) as Data
    return { id, title, ...(next !== undefined && { next }) }
  }
  const write = () => controller.setResponse(getTasks, members.map(sent) as never)
  write()
  const query = controller.watch(getTasks)
  if (isWatched) query.subscribe(() => {})
  return {
    read: () => query.getSnapshot().data as readonly Task[],
    shown: () => members.filter((id) => !gone.has(id)).map((id) => ({ id, ...tasks.get(id) })),
    do(one: Edit, mayRepeat: boolean): void {
      const { kind, id, to } = one
      if (kind === 'delete') {
        controller.setResponse(remove, { id }, { id } as never)
        gone.add(id)
        tasks.delete(id)
      } else if (kind === 'title' || kind === 'link') {
        const next = ids[to % SIZE] as string
        const known = tasks.get(id) ?? { life: ++life }
        tasks.set(id, kind === 'title' ? { ...known, title: `title ${to}` } : { ...known, title: 'linked', next })
        controller.setResponse(getTask, { id }, sent(id) as never)
      } else {
        members = edited(members, one, mayRepeat)
        write()
      }
    },
  }
}

test.each([
  ['a plain array', [Task], true],
  ['a Collection', collection, false],
] as const)('%s shows its members after any edits, and keeps what did not change', (_, schema, mayRepeat) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...ids), { maxLength: SIZE }),
      fc.array(edit, { maxLength: 25 }),
      fc.boolean(),
      (start, edits, isWatched) => {
        const board = play(schema as unknown as (typeof Task)[], start, isWatched)
        let before = { items: board.read(), shown: board.shown() }
        for (const one of edits) {
          board.do(one, mayRepeat)
          // Who watches reads each change.
          if (!one.isRead && !isWatched) continue
          const now = { items: board.read(), shown: board.shown() }
          expect(now.items.map(({ id, title }) => ({ id, title }))).toEqual(
            now.shown.map(({ id, title }) => ({ id, title })),
          )
          const kept = new Map(before.shown.map((task, i) => [task.id, { task, item: before.items[i] }]))
          now.shown.forEach((task, i) => {
            const old = kept.get(task.id)
            if (task.next === undefined && old?.task.next === undefined && task.life === old?.task.life)
              expect(now.items[i] === old?.item).toBe(task.title === old?.task.title)
          })
          const isSame =
            now.items.length === before.items.length && now.items.every((item, i) => item === before.items[i])
          expect(now.items === before.items).toBe(isSame)
          before = now
        }
      },
    ),
    { numRuns: cases(1_000) },
  )
})
