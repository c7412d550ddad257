import { expect, test } from 'vitest'
import { openBoard, Todo, Todos, User } from '../engine/todo-board.js'

class Group extends Todo {
  static override key = 'Group'
  static override schema = { ...Todo.schema, members: [User] }
  members: User[] = []
}

test('a row whose record lacks a relation keeps its instance through a change that is reverted', () => {
  const { controller } = openBoard()
  controller.set(Group, { id: '1' }, { title: 'a', user: { id: '7', name: 'Ann' } })
  const before = controller.get(Group, { id: '1' })
  expect(before?.members).toEqual([])
  controller.set(Group, { id: '1' }, { title: 'b' })
  controller.set(User, { id: '7' }, { name: 'Bo' })
  controller.set(Group, { id: '1' }, { title: 'a' })
  controller.set(User, { id: '7' }, { name: 'Ann' })
  controller.set(Group, { id: '1' }, { title: 'c' })
  controller.set(Group, { id: '1' }, { title: 'a' })
  expect(controller.get(Group, { id: '1' })).toBe(before)
})

test('rows in a ring are shown once each, and are replaced together', () => {
  const { controller } = openBoard()
  class Friend extends User {
    static override key = 'Friend'
    static override schema = { friend: Friend }
    friend: Friend | undefined = undefined
  }
  controller.set(Friend, { id: '1' }, { friend: '2' })
  controller.set(Friend, { id: '2' }, { friend: '1' })
  const one = controller.get(Friend, { id: '1' })
  expect(one?.friend?.friend).toBe(one)
  controller.set(Friend, { id: '2' }, { name: 'Bo' })
  const next = controller.get(Friend, { id: '1' })
  expect(next).not.toBe(one)
  expect(next?.friend?.friend).toBe(next)
  expect(next?.friend?.name).toBe('Bo')
})

test('a value that was returned stays as it was', () => {
  const { controller } = openBoard()
  controller.set(Todos, { userId: '1' }, [{ id: '1', title: 'a' }])
  const before = controller.get(Todos, { userId: '1' })
  controller.set(Todo, { id: '1' }, { title: 'b' })
  controller.get(Todos, { userId: '1' })
  expect(before?.map((todo) => todo.title)).toEqual(['a'])
})

test('a chain of 10,000 rows is built and rebuilt without overflowing the stack', () => {
  const { controller } = openBoard()
  class Link extends User {
    static override key = 'Link'
    static override schema = { next: Link }
    next: Link | undefined = undefined
  }
  for (let at = 0; at < 10_000; at++) controller.set(Link, { id: `${at}` }, { next: `${at + 1}` })
  const first = controller.get(Link, { id: '0' })
  expect(first?.next?.next?.id).toBe('2')
  controller.set(Link, { id: '10000' }, { name: 'last' })
  let last = controller.get(Link, { id: '0' })
  while (last?.next !== undefined) last = last.next
  expect(last).toMatchObject({ id: '10000', name: 'last' })
})
