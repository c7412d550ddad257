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
      <footer>Made with Roundtable</footer>
    </main>
  )
}

function Header(): ReactNode {
  const [me, stats] = useSuspense([getMe], [getStats])
  return (
    <header>
      <h1>{me.name}</h1>
      <output>{stats.open} open</output>
    </header>
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
