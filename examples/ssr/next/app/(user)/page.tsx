import { type ReactNode, Suspense } from 'react'
import { getIssues, getMe } from '../api'
import { Header, Issues, Stats } from '../components'
import { NewIssue } from '../new-issue'
import { Prefetched, prefetch } from '../server'

export default function Page(): ReactNode {
  // Both load at once, and each is sent when it is there.
  const me = prefetch(getMe)
  const issues = prefetch(getIssues)
  return (
    <>
      <Suspense fallback="…">
        <Prefetched of={me}>
          <Header />
        </Prefetched>
      </Suspense>
      <Suspense fallback="…">
        <Prefetched of={issues}>
          <Issues />
          <NewIssue />
        </Prefetched>
      </Suspense>
      <Suspense fallback="…">
        <Stats />
      </Suspense>
    </>
  )
}
