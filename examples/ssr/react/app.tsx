import { useSuspense } from '@roundtable/react'
import { type ReactNode, Suspense } from 'react'
import { getIssues, getMe, getStats } from '../issues.js'

export function App(): ReactNode {
  return (
    <main>
      <Suspense fallback="…">
        <Header />
      </Suspense>
      <Suspense fallback="…">
        <Issues />
      </Suspense>
    </main>
  )
}

function Header(): ReactNode {
  const [me, stats] = useSuspense([getMe], [getStats])
  return (
    <h1>
      {me.name}: {stats.open} open
    </h1>
  )
}

function Issues(): ReactNode {
  const issues = useSuspense(getIssues)
  return (
    <ul>
      {issues.map(({ id, title, author }) => (
        <li key={id}>
          {title} ({author?.name})
        </li>
      ))}
    </ul>
  )
}
