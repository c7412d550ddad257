import { AsyncBoundary, useSuspense } from '@roundtable/react'
import { UserResource } from './api.js'

export function UserName({ id }: { id: number }) {
  return <h2>{useSuspense(UserResource.get, { id }).name}</h2>
}

export function UserPage({ id }: { id: number }) {
  return (
    <AsyncBoundary fallback={<p>Loading …</p>}>
      <UserName id={id} />
    </AsyncBoundary>
  )
}
