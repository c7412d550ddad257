import { type Component, mount, unmount } from 'svelte'
import { afterAll, describe, expect, test } from 'vitest'
import { openPage } from '../../docs/run-page.js'
import { pagesContract } from '../pages-contract.js'
import Provided from './ways/provided.svelte'

pagesContract({
  framework: 'svelte',
  extension: 'svelte',
  show(module, target, props, controller) {
    const { default: Shown } = module as { default: Component }
    // The props of a .svelte file are checked by Svelte's own compiler.
    const shown = mount(Provided as Component<Record<string, unknown>>, { target, props: { controller, Shown, props } })
    return () => unmount(shown)
  },
})

describe('guides/testing', async () => {
  const page = openPage('docs/guides/testing.md')
  afterAll(() => page.close())

  // Its tests are tests here.
  await page.load('rune.test.ts')
  await page.load('todo-title.test.ts')

  test('the decorator of stories loads', async () => {
    expect(await page.load('story.svelte')).toBeDefined()
  })
})
