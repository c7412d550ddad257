'use client'
import type { ReactNode } from 'react'

/** For all other errors of the pages: their messages are for developers. */
export default function Failure({ reset }: { error: Error; reset: () => void }): ReactNode {
  return (
    <p role="alert">
      The page could not be loaded.{' '}
      <button type="button" onClick={reset}>
        Try again
      </button>
    </p>
  )
}
