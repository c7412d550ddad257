'use client'
import { useSuspense } from '@roundtable/react'
import Link from 'next/link'
import { type ReactNode, useSyncExternalStore } from 'react'
import { getIssue, getIssues, getMe, getStats } from './api'

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
          <Link href={`/issues/${id}`}>{title}</Link> ({author?.name})
        </li>
      ))}
    </ul>
  )
}

/** No server component loads its data: it is fetched while the server renders this, and streamed with the page. */
export function Stats(): ReactNode {
  const { open } = useSuspense(getStats)
  return <output>{open} open</output>
}

export function IssueText({ id }: { id: number }): ReactNode {
  const { title, text } = useSuspense(getIssue, { id })
  return (
    <article>
      <h2>{title}</h2>
      <p>{text}</p>
    </article>
  )
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
