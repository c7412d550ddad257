import { mockController } from '@roundtable/svelte/testing'
import { mount } from 'svelte'
import { expect, test } from 'vitest'
import { pencil } from './fixtures.js'
import TodoTitle from './todo-title.svelte'

test('the title is a heading', () => {
  const controller = mockController({
    initialFixtures: [pencil],
    network: 'error',
  })
  mount(TodoTitle, { target: document.body, props: { controller } })
  expect(document.querySelector('h1')?.textContent).toBe(
    'Sharpen the pencil',
  )
})
