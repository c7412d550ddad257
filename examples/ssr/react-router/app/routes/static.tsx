import type { Dehydrated } from '@roundtable/core/hydration'
import { Hydrate } from '@roundtable/react/ssr'
import { type ReactNode, Suspense } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { getIssues } from '../api'
import { Header, InBrowser, Issues } from '../components'
import { loaderFor } from '../server'

/** Called when the application is built, without cookies. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Dehydrated> {
  return loaderFor(request, { isStatic: true })(getIssues)
}

export default function Page(): ReactNode {
  return (
    <>
      <InBrowser>
        <Suspense fallback="…">
          <Header />
        </Suspense>
      </InBrowser>
      <Hydrate state={useLoaderData<Dehydrated>()}>
        <Issues />
      </Hydrate>
    </>
  )
}
