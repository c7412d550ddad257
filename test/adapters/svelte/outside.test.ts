import type { Controller, ReadEndpoint } from '@roundtable/core'
import { useController, useDLE } from '@roundtable/svelte'
import { type Component, flushSync, mount, unmount } from 'svelte'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openPage } from '../../docs/run-page.js'
import { todoService } from '../../docs/todo-service.js'
import OutsideReader from './ways/outside-reader.svelte'

const page = openPage('docs/guides/outside-components.md')
afterEach(() => vi.unstubAllGlobals())
afterAll(() => page.close())

/** Shows what is read on a page of its own. */
function show(controller: Controller, make: () => () => unknown) {
  const target = document.body.appendChild(document.createElement('main'))
  // The props of a .svelte file are checked by Svelte's own compiler.
  const reader = mount(OutsideReader as Component<Record<string, unknown>>, { target, props: { controller, make } })
  return { text: () => target.textContent?.trim(), end: () => unmount(reader) }
}

test('a module without a component keeps its reads fresh while a template shows them', async () => {
  const service = todoService()
  vi.stubGlobal('fetch', service.fetch)
  const { controller } = await page.load<{ controller: Controller }>('controller.js')
  const { TodoResource } = await page.load<{ TodoResource: Record<'partialUpdate', ReadEndpoint> }>('api.js')
  const { openCount } = await page.load<{ openCount: { readonly current: number | undefined } }>('open-count.js')
  expect(service.sent).toEqual([])
  const { text, end } = show(controller, () => () => openCount.current)
  expect(text()).toBe('nothing')
  await expect.poll(text).toBe('9')
  await controller.fetch(TodoResource.partialUpdate, ...([{ id: 1 }, { completed: true }] as never[]))
  await expect.poll(text).toBe('8')
  await end()
})

test('a class with hooks, made by a component, follows its own state', async () => {
  vi.stubGlobal('fetch', todoService().fetch)
  const { controller } = await page.load<{ controller: Controller }>('controller.js')
  controller.resetEntireStore()
  const { TodoList } = await page.load<{ TodoList: new () => { userId: number; readonly open: number | undefined } }>(
    'todo-list.svelte.js',
  )
  let list = { userId: 0, open: undefined as number | undefined }
  const { text, end } = show(controller, () => {
    list = new TodoList()
    return () => list.open
  })
  await expect.poll(text).toBe('9')
  list.userId = 2
  flushSync()
  await expect.poll(text).toBe('1')
  await end()
})

test('a hook in a handler, or after an await, says where hooks belong', async () => {
  const inHandler = (): unknown => useController()
  expect(inHandler).toThrow(/outside of a component.*not in a handler, nor after an await/)
  const afterAwait = async (): Promise<unknown> => {
    await null
    return useDLE({} as ReadEndpoint<() => Promise<string>>)
  }
  await expect(afterAwait()).rejects.toThrow(/outside of a component/)
})
