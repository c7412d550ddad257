import { Controller, pagesOf } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { checkServer } from '@roundtable/core/check'
import { expect, test } from 'vitest'
import * as payments from './generated/payments/roundtable.gen.js'
import * as tasks from './generated/tasks/roundtable.gen.js'

test('the code of tasks runs against a backend that is made from it', async () => {
  const ada = { id: 1, name: 'Ada', email: null }
  const task = (n: number) => ({ id: `t${n}`, title: `Task ${n}`, owner_id: 1, owner: ada, done: false })
  const api = backend(tasks, {
    seed: { UserPublic: [{ ...ada, tasks: [task(1)] }], TaskPublic: [task(2), task(3)] },
    pageSize: 2,
  })
  const controller = new Controller({ transport: api.transport })
  const { get, getList, create, update, delete: remove } = tasks.TaskPublicResource

  const page = await controller.fetch(getList, {})
  expect(page.items.map(({ id, owner }) => `${id} ${owner?.name}`)).toEqual(['t1 Ada', 't2 Ada'])
  expect(page.next_cursor).toBe('t2')
  const pages = pagesOf(controller, getList, {})
  const stop = pages.subscribe(() => {})
  await pages.getSnapshot().fetchNext()
  expect(pages.getSnapshot().hasNext).toBe(false)
  expect(pages.getSnapshot().data?.items.map(({ id }) => id)).toEqual(['t1', 't2', 't3'])
  stop()

  const checked = await checkServer(tasks.TaskPublicResource, { transport: api.transport, filters: ['owner_id'] })
  expect(checked.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns')).toEqual([])
  expect(checked.filter(({ verdict }) => verdict === 'ok').length).toBeGreaterThan(10)

  const user = await controller.fetch(tasks.readUserUsersUserIdGet, { id: 1 })
  expect(user.tasks.map(({ title }) => title)).toEqual(['Task 1'])
  const made = await controller.fetch(create, { title: 'New', owner_id: 1 })
  expect(made).toMatchObject({ title: 'New', owner_id: 1 })
  await controller.fetch(update, { id: 't1' }, { title: 'Replaced', owner_id: 1 })
  expect(await controller.fetch(get, { id: 't1' })).toMatchObject({ id: 't1', title: 'Replaced' })
  await controller.fetch(remove, { id: 't1' })
  expect(api.rows('TaskPublic').map(({ title }) => title)).toEqual(['Task 2', 'Task 3', 'New'])

  // What the description does not tell is said by 501, and not guessed.
  const error = await controller
    .fetch(tasks.completeTaskTasksTaskIdCompletePost, { task_id: 't2' })
    .catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('501')
  controller.dispose()
})

test('the code of payments, whose changes are forms that POST sends, does too', async () => {
  const customers = [1, 2, 3].map((n) => ({
    id: `cus_${n}`,
    object: 'customer' as const,
    name: `Customer ${n}`,
    balance: n,
    created: 5,
    livemode: false,
  }))
  const api = backend(payments, { seed: { Customer: customers }, pageSize: 2 })
  const controller = new Controller({ transport: api.transport })
  const { getCustomers } = payments
  const pages = pagesOf(controller, getCustomers, { expand: ['data.default_source'] })
  const stop = pages.subscribe(() => {})
  await controller.fetch(getCustomers, { expand: ['data.default_source'] })
  await pages.getSnapshot().fetchNext()
  expect(pages.getSnapshot().data?.data.map(({ id }) => id)).toEqual(['cus_1', 'cus_2', 'cus_3'])
  expect(pages.getSnapshot().hasNext).toBe(false)
  stop()

  const { postCustomersCustomer } = payments
  await controller.fetch(postCustomersCustomer, { id: 'cus_2' }, { name: 'Grace', metadata: { colour: 'red' } })
  expect(api.rows('Customer')[1]).toMatchObject({ name: 'Grace', balance: 2, metadata: { colour: 'red' } })
  controller.dispose()
})
