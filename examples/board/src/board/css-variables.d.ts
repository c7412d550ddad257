import 'react'

declare module 'react' {
  interface CSSProperties {
    /** The colour of a dot or an avatar. */
    '--color'?: string
  }
}
