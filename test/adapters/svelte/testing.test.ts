import { useDLE, useSuspense } from '@roundtable/svelte'
import { mockController, renderDataRune, settle } from '@roundtable/svelte/testing'
import { type Component, getContext, mount, unmount } from 'svelte'
import { describe, expect, test } from 'vitest'
import { TodoResource, testKit, todo } from '../testing-kit.js'
import MockedPage from './mocked-page.svelte'

testKit({
  name: 'Svelte',
  suspense(options) {
    const rendered = renderDataRune((props) => useSuspense(TodoResource.get, () => [{ id: props.id }]), options)
    return [rendered, () => rendered.result.current.current]
  },
  dle(options) {
    const rendered = renderDataRune((props) => useDLE(TodoResource.get, () => [{ id: props.id }]), options)
    return [rendered, () => rendered.result.current]
  },
  broken: (error) =>
    renderDataRune(() => {
      throw error
    }),
})

describe('renderDataRune', () => {
  test('gives other contexts', async () => {
    const { result, advance } = renderDataRune(() => useSuspense(TodoResource.get, { id: getContext<number>('id') }), {
      initialFixtures: [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }],
      context: new Map([['id', 1]]),
    })
    await advance()
    expect(result.current.current.title).toBe('Sharpen the pencil')
  })

  test('reads everything that a function returns', async () => {
    const { result, advance } = renderDataRune(
      () => [useDLE(TodoResource.get, { id: 1 }), 'text', undefined] as const,
      {
        resolverFixtures: [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }],
      },
    )
    await advance()
    expect(result.current[0].data?.title).toBe('Sharpen the pencil')
  })
})

describe('MockResolver', () => {
  const fixtures = [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }]

  test('serves the requests inside, on the store around it', async () => {
    const controller = mockController()
    const target = document.createElement('div')
    // The compiler of plain TypeScript knows nothing of what is in a .svelte file.
    const page = mount(MockedPage as Component<object>, { target, props: { controller, fixtures } })
    expect(target.textContent).toContain('loading')
    await new Promise((resolve) => setTimeout(resolve, 0))
    await settle()
    expect(target.textContent).toContain('Sharpen the pencil')
    controller.set(TodoResource.get.schema, { id: 1 }, { title: 'Buy a pen' })
    await settle()
    expect(target.textContent).toContain('Buy a pen')
    unmount(page)
  })
})
