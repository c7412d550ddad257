import { createDataClient, useDLE } from '@roundtable/vue'
import { mockController } from '@roundtable/vue/testing'
import { expect, test } from 'vitest'
import { createApp, h } from 'vue'
import { TodoResource } from './api.js'
import { pencil } from './fixtures.js'

const TodoTitle = {
  setup() {
    const { data: todo } = useDLE(TodoResource.get, { id: 1 })
    return () => h('h1', todo.value?.title)
  },
}

test('the title is a heading', () => {
  const controller = mockController({
    initialFixtures: [pencil],
    network: 'error',
  })
  const root = document.createElement('div')
  createApp(TodoTitle).use(createDataClient({ controller })).mount(root)
  expect(root.querySelector('h1')?.textContent).toBe('Sharpen the pencil')
})
