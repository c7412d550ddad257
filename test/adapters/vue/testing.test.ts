import { createDataClient, useDLE, useSuspense } from '@roundtable/vue'
import { MockResolver, mockController, renderDataCompose, settle } from '@roundtable/vue/testing'
import { describe, expect, test } from 'vitest'
import { createApp, h, inject } from 'vue'
import { TodoResource, testKit, todo } from '../testing-kit.js'

testKit({
  name: 'Vue',
  suspense(options) {
    const rendered = renderDataCompose((props) => useSuspense(TodoResource.get, () => ({ id: props.id })), options)
    return [rendered, () => rendered.result.current.value]
  },
  dle(options) {
    const rendered = renderDataCompose((props) => useDLE(TodoResource.get, () => ({ id: props.id })), options)
    return [
      rendered,
      () => {
        const { data, loading, error } = rendered.result.current
        return { data: data.value, loading: loading.value, error: error.value }
      },
    ]
  },
  broken: (error) =>
    renderDataCompose(() => {
      throw error
    }),
})

describe('renderDataCompose', () => {
  test('uses other plugins', async () => {
    const { result, advance } = renderDataCompose(() => useSuspense(TodoResource.get, { id: inject('id', 0) }), {
      initialFixtures: [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }],
      plugins: [(app) => app.provide('id', 1)],
    })
    await advance()
    expect(result.current.value.title).toBe('Sharpen the pencil')
  })
})

describe('MockResolver', () => {
  const fixtures = [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }]

  function Title() {
    const { data } = useDLE(TodoResource.get, { id: 1 })
    return () => h('p', data.value?.title ?? 'loading')
  }

  test('serves the requests inside, on the store around it', async () => {
    const controller = mockController()
    const root = document.createElement('div')
    const app = createApp(() => h(MockResolver, { fixtures }, { default: () => [h({ setup: Title })] }))
    app.use(createDataClient({ controller })).mount(root)
    expect(root.textContent).toBe('loading')
    await new Promise((resolve) => setTimeout(resolve, 0))
    await settle()
    expect(root.textContent).toBe('Sharpen the pencil')
    controller.set(TodoResource.get.schema, { id: 1 }, { title: 'Buy a pen' })
    await settle()
    expect(root.textContent).toBe('Buy a pen')
    app.unmount()
  })
})
