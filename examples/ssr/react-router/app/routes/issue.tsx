import type { Dehydrated } from '@roundtable/core/hydration'
import { useSuspense } from '@roundtable/react'
import { Hydrate } from '@roundtable/react/ssr'
import type { ReactNode } from 'react'
import {
  type ActionFunctionArgs,
  Form,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  useLoaderData,
  useParams,
  useRouteError,
} from 'react-router'
import { getIssue, renameIssue } from '../api'
import { loaderFor, transportFor } from '../server'

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Dehydrated> {
  return loaderFor(request)(getIssue, { id: Number(params.id) })
}

/** Runs on the server. Then React Router calls the loaders again, and their states bring the new title. */
export async function action({ request, params }: ActionFunctionArgs): Promise<null> {
  const title = String((await request.formData()).get('title'))
  await renameIssue.extend({ transport: transportFor(request) })({ id: Number(params.id) }, { title })
  return null
}

export default function Page(): ReactNode {
  const { id } = useParams()
  return (
    <Hydrate state={useLoaderData<Dehydrated>()}>
      <IssueText id={Number(id)} />
      <Form method="post">
        <input name="title" aria-label="New title" required />
        <button type="submit">Rename</button>
      </Form>
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

/** Messages of errors are for developers: users read a text that follows from the status. */
export function ErrorBoundary(): ReactNode {
  const error = useRouteError()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  return <p role="alert">{isMissing ? 'There is no such issue.' : 'The page could not be loaded.'}</p>
}
