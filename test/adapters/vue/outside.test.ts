import { Controller } from '@roundtable/core'
import { createDataClient } from '@roundtable/vue'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type App, type ComputedRef, createApp, ref } from 'vue'
import { openPage } from '../../docs/run-page.js'
import { todoService } from '../../docs/todo-service.js'

const page = openPage('docs/guides/outside-components.md')
afterEach(() => vi.unstubAllGlobals())
afterAll(() => page.close())

interface Module {
  openTodos(app: App, userId: () => number): { count: ComputedRef<number | undefined> | undefined; stop(): void }
}

test('a composable outside of components fetches, follows its arguments, and ends with its scope', async () => {
  const service = todoService()
  vi.stubGlobal('fetch', service.fetch)
  const { openTodos } = await page.load<Module>('open-todos.js')
  const app = createApp({}).use(createDataClient({ controller: new Controller() }))
  const userId = ref(1)
  const { count, stop } = openTodos(app, () => userId.value)
  await expect.poll(() => count?.value).toBe(9)
  userId.value = 2
  await expect.poll(() => count?.value).toBe(1)
  stop()
  userId.value = 3
  await expect.poll(() => service.sent).toEqual(['GET /todos?userId=1', 'GET /todos?userId=2'])
})
