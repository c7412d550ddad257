import type { Controller } from '@roundtable/core'
import { DataProvider, useSuspense } from '@roundtable/react'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { getIssues, getMe, getStats } from '../issues.js'

/** The whole document: streamed content comes at the end of its body. */
export function Page({ controller }: { controller: Controller }): ReactNode {
  return (
    <StrictMode>
      <html lang="en">
        <head>
          <meta charSet="utf-8" />
          <title>Issues</title>
          <link rel="icon" href="data:," />
        </head>
        <body>
          <DataProvider controller={controller}>
            <App />
          </DataProvider>
        </body>
      </html>
    </StrictMode>
  )
}

/** Each boundary is sent when its data is there. */
export function App(): ReactNode {
  return (
    <main>
      <Suspense fallback="…">
        <Header />
      </Suspense>
      <Suspense fallback="…">
        <Issues />
      </Suspense>
      <Suspense fallback="…">
        <Stats />
      </Suspense>
      <footer>Made with Roundtable</footer>
    </main>
  )
}

function Header(): ReactNode {
  const me = useSuspense(getMe)
  return <h1>{me.name}</h1>
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

function Stats(): ReactNode {
  const { open } = useSuspense(getStats)
  return <output>{open} open</output>
}
