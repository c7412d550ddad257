import type { Dehydrated } from '@roundtable/core/hydration'
import { useSuspense } from '@roundtable/react'
import { Hydrate } from '@roundtable/react/ssr'
import type { ReactNode } from 'react'
import { type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router'
import { getIssue } from '../api'
import { loaderFor } from '../server'

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Dehydrated> {
  return loaderFor(request)(getIssue, { id: Number(params.id) })
}

export default function Page(): ReactNode {
  const { id } = useParams()
  return (
    <Hydrate state={useLoaderData<Dehydrated>()}>
      <IssueText id={Number(id)} />
    </Hydrate>
  )
}

function IssueText({ id }: { id: number }): ReactNode {
  const { title, text } = useSuspense(getIssue, { id })
  return (
    <article>
      <h2>{title}</h2>
      <p>{text}</p>
    </article>
  )
}
