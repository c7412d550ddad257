import { DataProvider, useDLE, useSuspense } from '@roundtable/react'
import { MockResolver, mockController, renderDataHook } from '@roundtable/react/testing'
import { act, configure, render, screen } from '@testing-library/react'
import { createContext, type ReactNode, useContext } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HANGS } from '../../hangs.js'
import { TodoResource, testKit, todo } from '../testing-kit.js'

configure({ asyncUtilTimeout: HANGS })

// React 18 reports every error that a boundary catches.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

testKit({
  name: 'React',
  suspense(options) {
    const rendered = renderDataHook(({ id }) => useSuspense(TodoResource.get, { id }), options)
    return [rendered, () => rendered.result.current]
  },
  dle(options) {
    const rendered = renderDataHook(({ id }) => useDLE(TodoResource.get, { id }), options)
    return [rendered, () => rendered.result.current]
  },
  broken: (error) =>
    renderDataHook(() => {
      throw error
    }),
})

describe('renderDataHook', () => {
  const UserId = createContext(0)

  test('puts a wrapper around the hook', async () => {
    const { result, advance } = renderDataHook(() => useSuspense(TodoResource.get, { id: useContext(UserId) }), {
      initialFixtures: [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }],
      wrapper: ({ children }) => <UserId.Provider value={1}>{children}</UserId.Provider>,
    })
    await advance()
    expect(result.current.title).toBe('Sharpen the pencil')
  })

  test('waits again where other props suspend', async () => {
    const { result, advance, rerender } = renderDataHook(({ id }) => useSuspense(TodoResource.get, { id }), {
      initialProps: { id: 1 },
      resolverFixtures: [{ endpoint: TodoResource.get, response: () => todo, delay: 10 }],
    })
    await advance(10)
    expect(result.pending).toBe(false)
    await rerender({ id: 2 })
    expect(result.pending).toBe(true)
  })
})

describe('MockResolver', () => {
  const fixtures = [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }]

  function Title(): ReactNode {
    const { data } = useDLE(TodoResource.get, { id: 1 })
    return <p>{data?.title ?? 'loading'}</p>
  }

  test('serves the requests inside, on the store around it', async () => {
    const controller = mockController()
    render(
      <DataProvider controller={controller}>
        <MockResolver fixtures={fixtures}>
          <Title />
        </MockResolver>
      </DataProvider>,
    )
    expect(screen.getByText('loading')).toBeDefined()
    expect(await screen.findByText('Sharpen the pencil')).toBeDefined()
    expect(controller.get(TodoResource.get.schema, { id: 1 })?.title).toBe('Sharpen the pencil')
    await act(async () => controller.set(TodoResource.get.schema, { id: 1 }, { title: 'Buy a pen' }))
    expect(screen.getByText('Buy a pen')).toBeDefined()
  })
})
