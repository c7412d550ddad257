import { type Dehydrated, dehydrate } from '@roundtable/core/hydration'
import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { openBoard } from '../../../core/engine/todo-board.js'
import Page from './page.svelte'

const row = (id: string, title: string) => ({ id, title, userId: '1', votes: 0 })

/** A page with two todos, and the state that it was rendered from. Loaded where components are compiled for servers. */
export async function renderPage(reader: string): Promise<{ body: string; state: Dehydrated }> {
  const board = openBoard({ server: true })
  board.controller.setResponse(board.getTodos, {}, [row('1', 'one'), row('2', 'two')])
  // The props of a .svelte file are checked by Svelte's own compiler.
  const { body } = await render(Page as unknown as Component<object>, { props: { board, reader } })
  return { body, state: JSON.parse(JSON.stringify(dehydrate(board.controller))) }
}
