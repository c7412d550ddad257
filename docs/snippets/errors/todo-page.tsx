import {
  AsyncBoundary,
  type ErrorFallbackProps,
  useSuspense,
} from '@roundtable/react'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function TodoPage({ id }: { id: number }) {
  return (
    <AsyncBoundary
      fallback={<p>Loading …</p>}
      errorComponent={Failure}
      resetKeys={[id]}
    >
      <Title id={id} />
    </AsyncBoundary>
  )
}

function Title({ id }: { id: number }) {
  return <h1>{useSuspense(TodoResource.get, { id }).title}</h1>
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {errorText(error)}{' '}
      <button onClick={resetErrorBoundary}>Try again</button>
    </p>
  )
}
