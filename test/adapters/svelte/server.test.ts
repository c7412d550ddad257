// @vitest-environment node
import type { Controller } from '@roundtable/core'
import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { expect, test } from 'vitest'
import { openBoard } from '../../core/engine/todo-board.js'
import { type View, view } from '../harness.js'
import { serverContract, textOf } from '../server-contract.js'
import { handleOf } from './handle.svelte.js'
import Page from './page.svelte'
import ServerPage from './server-page.svelte'

async function textOn(page: unknown, controller: Controller, views: readonly View[]): Promise<string> {
  const handles = views.map(({ args }) => handleOf(args))
  // What a .svelte file takes is checked by Svelte's own compiler.
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
