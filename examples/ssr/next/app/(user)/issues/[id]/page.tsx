import { NetworkError } from '@roundtable/core'
import { notFound } from 'next/navigation'
import { type ReactNode, Suspense } from 'react'
import { getIssue } from '../../../api'
import { IssueText } from '../../../components'
import { RenameIssue } from '../../../rename-issue'
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
  const loaded = prefetch(getIssue, { id })
  await loaded.catch((error: unknown) => {
    // Any other error is thrown by the component that reads the issue.
    if (error instanceof NetworkError && error.status === 404) notFound()
  })
  return (
    <Prefetched of={loaded}>
      <IssueText id={id} />
      <RenameIssue id={id} />
    </Prefetched>
  )
}
