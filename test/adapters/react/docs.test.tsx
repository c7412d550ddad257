import { DataProvider } from '@roundtable/react'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPage } from '../../docs/run-page.js'
import { pagesContract } from '../pages-contract.js'

pagesContract({
  framework: 'react',
  extension: 'tsx',
  show(module, target, props, controller) {
    const [Shown] = Object.values(module) as [ComponentType]
    const root = createRoot(target)
    root.render(
      <StrictMode>
        <DataProvider controller={controller}>
          <Shown {...props} />
        </DataProvider>
      </StrictMode>,
    )
    return () => root.unmount()
  },
})

describe('guides/testing', async () => {
  const page = openPage('docs/guides/testing.md')
  afterAll(() => page.close())
  // React 18 reports an error that a boundary catches.
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  // Its tests are tests here.
  await page.load('controller.test.ts')
  await page.load('hook.test.tsx')
  await page.load('todo-title.test.tsx')
  await page.load('msw.test.ts')
  await page.load('view.test.ts')

  test('the decorator of stories loads', async () => {
    expect(await page.load('preview.tsx')).toBeDefined()
  })
})
