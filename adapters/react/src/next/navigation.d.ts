// The used part of Next, which is an optional peer dependency.
declare module 'next/navigation.js' {
  import type { ReactNode } from 'react'

  /** Inserts the result of each call into the page, before the part that is sent next. */
  export function useServerInsertedHTML(callback: () => ReactNode): void
}
