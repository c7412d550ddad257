import type { ReactNode } from 'react'
import { type IconName, icons } from '../app/icons.js'

/** An icon; the button around it has the label. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}
