import { AsyncBoundary, type ErrorFallbackProps } from '@roundtable/react'
import { AddTodo } from './add-todo.js'
import { errorText } from './error-text.js'
import { FailedChanges } from './failed-changes.js'
import { OpenCount } from './open-count.js'
import { TodoList } from './todo-list.js'

export function App() {
  return (
    <AsyncBoundary fallback={<p>Loading …</p>} errorComponent={Failure}>
      <OpenCount />
      <TodoList userId={1} />
      <AddTodo userId={1} />
      <FailedChanges />
    </AsyncBoundary>
  )
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {errorText(error)}{' '}
      <button onClick={resetErrorBoundary}>Try again</button>
    </p>
  )
}
