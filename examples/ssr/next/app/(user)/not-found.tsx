import type { ReactNode } from 'react'

export default function NotFound(): ReactNode {
  return <p>There is no such issue.</p>
}
