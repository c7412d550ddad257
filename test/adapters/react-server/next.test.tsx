import { Controller, Endpoint, Entity } from '@roundtable/core'
import { dehydrate, toStatement } from '@roundtable/core/hydration'
import { useSuspense } from '@roundtable/react'
import { createServerData, DataProvider } from '@roundtable/react/next'
import { act, render } from '@testing-library/react'
import { StrictMode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

const request = vi.fn(({ id }: { id: string }) => Promise.resolve({ id, title: 'from the browser' }))
const getTodo = new Endpoint(request, { name: 'getTodo', schema: Todo })

function Title({ id }: { id: string }) {
  return <p>{useSuspense(getTodo, { id }).title}</p>
}

/** Runs what a page that is streamed would bring. */
function arrive(id: string, title: string): void {
  const server = new Controller({ server: true })
  server.setResponse(getTodo, { id }, { id, title })
  new Function('self', toStatement(dehydrate(server)))(globalThis)
}

beforeEach(() => void request.mockClear())
afterEach(() => Reflect.deleteProperty(globalThis, 'roundtable'))

test('what came with the page is there at the first render, and what comes later when it comes; nothing is requested', async () => {
  arrive('1', 'one')
  const made: Controller[] = []
  const createController = (options: { readonly server: boolean }): Controller => {
    expect(options).toEqual({ server: false })
    const controller = new Controller(options)
    made.push(controller)
    return controller
  }
  const page = (id: string) => (
    <StrictMode>
      <DataProvider createController={createController}>
        <Suspense fallback="…">
          <Title id={id} />
        </Suspense>
      </DataProvider>
    </StrictMode>
  )
  const view = render(page('1'))
  expect(view.container.textContent).toBe('one')
  await act(async () => arrive('2', 'two'))
  view.rerender(page('2'))
  expect(view.container.textContent).toBe('two')
  expect(request).not.toHaveBeenCalled()
  // StrictMode calls each initializer twice, and uses one.
  expect(made).toHaveLength(2)
})

test('client components are told that server data is not theirs', () => {
  expect(() => createServerData()).toThrow('for server components')
})
