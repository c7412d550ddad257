import { type ReactNode, Suspense } from 'react'
import { getIssue } from '../../../api'
import { IssueText } from '../../../components'
import { Prefetched, prefetch } from '../../../server'

type Params = Promise<{ readonly id: string }>

export default function Page({ params }: { params: Params }): ReactNode {
  return (
    <Suspense fallback="…">
      <Issue params={params} />
    </Suspense>
  )
}

async function Issue({ params }: { params: Params }): Promise<ReactNode> {
  const id = Number((await params).id)
  return (
    <Prefetched of={prefetch(getIssue, { id })}>
      <IssueText id={id} />
    </Prefetched>
  )
}
