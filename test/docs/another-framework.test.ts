// @vitest-environment happy-dom
import { Controller } from '@roundtable/core'
import { configure, waitFor, within } from '@testing-library/dom'
import { h, render } from 'preact'
import { createEffect, createRoot, createSignal } from 'solid-js'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type * as Preact from '../../docs/snippets/another-framework/preact.js'
import type * as PreactTodos from '../../docs/snippets/another-framework/preact-todos.js'
import type * as Solid from '../../docs/snippets/another-framework/solid.js'
import { HANGS } from '../hangs.js'
import { openPage } from './run-page.js'
import { todoService } from './todo-service.js'

configure({ asyncUtilTimeout: HANGS })
const page = openPage('docs/recipes/another-framework.md')
afterAll(() => page.close())
afterEach(() => vi.unstubAllGlobals())

const first = /delectus aut autem/

test('Preact shows a list, and deletes from it', async () => {
  const service = todoService()
  vi.stubGlobal('fetch', service.fetch)
  const { ControllerContext } = await page.load<typeof Preact>('preact.ts')
  const { Todos } = await page.load<typeof PreactTodos>('preact-todos.tsx')
  const target = document.body.appendChild(document.createElement('div'))
  const controller = new Controller()
  render(h(ControllerContext.Provider, { value: controller, children: h(Todos, { userId: 1 }) }), target)
  const screen = within(target)
  screen.getByText('Loading …')
  within(await screen.findByText(first))
    .getByText('Delete')
    .click()
  await waitFor(() => expect(screen.queryByText(first)).toBeNull())
  render(h(Todos, { userId: 2 }), target)
  await screen.findByText(/suscipit repellat/)
  render(null, target)
  expect(service.sent).toEqual(['GET /todos?userId=1', 'DELETE /todos/1', 'GET /todos?userId=2'])
})

test('Solid follows a list and its arguments, until it is disposed', async () => {
  const service = todoService()
  vi.stubGlobal('fetch', service.fetch)
  const { createQuery } = await page.load<typeof Solid>('solid.ts')
  const { TodoResource } = await page.load<typeof import('../../docs/snippets/another-framework/api.js')>('api.ts')
  const shown: (number | undefined)[] = []
  const [userId, setUserId] = createSignal(1)
  const dispose = createRoot((end) => {
    const todos = createQuery(TodoResource.getList, () => [{ userId: userId() }])
    createEffect(() => shown.push(todos().data?.length))
    return end
  })
  await waitFor(() => expect(shown.at(-1)).toBe(20))
  setUserId(2)
  await waitFor(() => expect(shown.at(-1)).toBe(1))
  dispose()
  setUserId(1)
  expect(shown).toEqual([undefined, 20, undefined, 1])
  expect(service.sent).toEqual(['GET /todos?userId=1', 'GET /todos?userId=2'])
})
