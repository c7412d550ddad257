import { Controller } from '@roundtable/core'
import { type Dehydrated, dehydrate } from '@roundtable/core/hydration'
import { Hydrate } from '@roundtable/react/ssr'
import { cacheLife } from 'next/cache'
import { type ReactNode, Suspense } from 'react'
import { getIssues } from '../../api'
import { Header, InBrowser, Issues } from '../../components'
import { toApi } from '../../to-api'

export default async function Page(): Promise<ReactNode> {
  return (
    <>
      <InBrowser>
        <Suspense fallback="…">
          <Header />
        </Suspense>
      </InBrowser>
      <Hydrate state={await loadIssues()}>
        <Issues />
      </Hydrate>
    </>
  )
}

/** The same for all users: loaded without cookies when the application is built, and again after an hour. */
async function loadIssues(): Promise<Dehydrated> {
  'use cache'
  cacheLife('hours')
  const controller = new Controller({ server: true, transport: toApi })
  await controller.fetch(getIssues)
  return dehydrate(controller, { isStatic: true })
}
