import { createDataClient } from '@roundtable/vue'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Component, createApp, h, Suspense } from 'vue'
import { openPage } from '../../docs/run-page.js'
import { pagesContract } from '../pages-contract.js'

beforeEach(() => {
  // Vue says that <Suspense> is experimental.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})

pagesContract({
  framework: 'vue',
  extension: 'vue',
  show(module, target, props, controller) {
    const { default: Shown } = module as { default: Component }
    const app = createApp(() => h(Suspense, () => h(Shown, { ...props })))
    app.use(createDataClient({ controller })).mount(target)
    return () => app.unmount()
  },
})

describe('guides/testing', async () => {
  const page = openPage('docs/guides/testing.md')
  afterAll(() => page.close())

  // Its tests are tests here.
  await page.load('composable.test.ts')
  await page.load('title.test.ts')

  test('the set-up of stories loads', async () => {
    expect(await page.load('preview.ts')).toBeDefined()
  })
})
