import type { Dehydrated } from '@roundtable/core/hydration'
import { Hydrate } from '@roundtable/react/ssr'
import { type ReactNode, Suspense } from 'react'
import { Await, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { getIssues, getMe, getStats } from '../api'
import { Header, Issues, Stats } from '../components'
import { NewIssue } from '../new-issue'
import { loaderFor } from '../server'

type States = Readonly<Record<'issues' | 'stats', Promise<Dehydrated>>> & { readonly me: Dehydrated }

/** All load in parallel. The page waits for awaited data; the rest is streamed. */
export async function loader({ request }: LoaderFunctionArgs): Promise<States> {
  const load = loaderFor(request)
  const issues = load(getIssues)
  const stats = load(getStats)
  return { me: await load(getMe), issues, stats }
}

export default function Page(): ReactNode {
  const { me, issues, stats } = useLoaderData<States>()
  return (
    <>
      <Hydrate state={me}>
        <Header />
      </Hydrate>
      <Streamed state={issues}>
        <Issues />
        <NewIssue />
      </Streamed>
      <Streamed state={stats}>
        <Stats />
      </Streamed>
    </>
  )
}

/** Shows its children when their data has come. */
function Streamed({ state, children }: { state: Promise<Dehydrated>; children: ReactNode }): ReactNode {
  return (
    <Suspense fallback="…">
      <Await resolve={state}>{(loaded) => <Hydrate state={loaded}>{children}</Hydrate>}</Await>
    </Suspense>
  )
}
