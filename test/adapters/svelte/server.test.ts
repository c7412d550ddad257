// @vitest-environment node
import { Controller, Endpoint } from '@roundtable/core'
import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { describe, expect, test } from 'vitest'
import { openBoard } from '../../core/engine/todo-board.js'
import { type View, view } from '../harness.js'
import { serverContract, textOf } from '../server-contract.js'
import FailingPage from './failing-page.svelte'
import { handleOf } from './handle.svelte.js'
import Page from './page.svelte'
import ServerPage from './server-page.svelte'

async function textOn(page: unknown, controller: Controller, views: readonly View[]): Promise<string> {
  const handles = views.map(({ args }) => handleOf(args))
  // The props of a .svelte file are checked by Svelte's own compiler.
  const { body } = await render(page as Component<Record<string, unknown>>, { props: { controller, views, handles } })
  return textOf(body)
}

// In an `ErrorBoundary`, for a boundary that has something to show while it waits does not wait on a server.
serverContract({
  name: 'Svelte',
  noise: [],
  render: (controller, views) => textOn(ServerPage, controller, views),
})

test('on a server an AsyncBoundary renders its fallback, as every <svelte:boundary> with a pending snippet', async () => {
  const { controller, getTodo, server } = openBoard({ server: true })
  expect(await textOn(Page, controller, [view('suspense', getTodo, { id: '1' })])).toBe('loading')
  expect(server.requests).toHaveLength(0)
})

describe('an error inside an ErrorBoundary on a server', () => {
  const refusal = new Error('no such page')
  const getPage = new Endpoint(
    async (): Promise<string> => {
      throw refusal
    },
    { name: 'getPage' },
  )
  const options = { props: { controller: new Controller({ server: true }), endpoint: getPage } }
  // The props of a .svelte file are checked by Svelte's own compiler.
  const Page = FailingPage as unknown as Component<typeof options.props>

  test('fails the page, as in every <svelte:boundary>, if the renderer has no transformError', async () => {
    await expect(render(Page, options).then()).rejects.toBe(refusal)
  })

  test('is shown where the renderer says which part of an error may be seen', async () => {
    const reported: unknown[] = []
    const transformError = (error: unknown): object => {
      reported.push(error)
      return { message: 'sorry' }
    }
    const { body } = await render(Page, { ...options, transformError })
    expect(body).toContain('<p>failed: sorry</p>')
    expect(reported).toEqual([refusal])
  })
})
