// The part of Next that is used: it is an optional peer dependency.
declare module 'next/navigation.js' {
  import type { ReactNode } from 'react'

  /** The result of each call is put into the page, before the part of it that is sent next. */
  export function useServerInsertedHTML(callback: () => ReactNode): void
}
