import { useSuspense } from '@roundtable/react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { getIssues, getMe, getStats } from './api'

export function Header(): ReactNode {
  const me = useSuspense(getMe)
  return <h1>{me.name}</h1>
}

export function Issues(): ReactNode {
  const issues = useSuspense(getIssues)
  return (
    <ul>
      {issues.map(({ id, title, author }) => (
        <li key={id}>
          <Link to={`/issues/${id}`}>{title}</Link> ({author?.name})
        </li>
      ))}
    </ul>
  )
}

export function Stats(): ReactNode {
  const { open } = useSuspense(getStats)
  return <output>{open} open</output>
}

/** Renders its children only in the browser: user-specific content in a page that is made in advance. */
export function InBrowser({ children }: { children: ReactNode }): ReactNode {
  const isBrowser = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
  return isBrowser ? children : null
}

const subscribe = () => () => {}
