import { Controller } from '@roundtable/core'
import { HandClock } from '@roundtable/core/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Todo, TodoResource } from './api.js'
import { api } from './server.js'

beforeEach(() => api.reset())

let controller: Controller
beforeEach(() => {
  controller = new Controller({
    transport: api.transport,
    env: new HandClock(),
  })
})
afterEach(() => controller.dispose())

test('a new todo is in the list of its user', async () => {
  await controller.fetch(TodoResource.getList, { userId: 2 })
  await controller.fetch(TodoResource.create, { userId: 2 }, {
    title: 'Tea',
  } as Todo)
  const { data } = controller.getResponse(TodoResource.getList, {
    userId: 2,
  })
  expect(data?.map(({ title }) => title)).toEqual(['Cheese', 'Tea'])
})

test('what somebody else has changed comes with the next request', async () => {
  await controller.fetch(TodoResource.get, { id: 1 })
  api.put(Todo, { id: 1, title: 'Oat milk' })
  await controller.fetch(TodoResource.get, { id: 1 })
  expect(controller.get(Todo, { id: 1 })?.title).toBe('Oat milk')
})
