import { AsyncBoundary, useController, useLoading, useSuspense } from '@roundtable/react'
import { composeStory } from '@storybook/react'
import { createRoot } from 'react-dom/client'
import { TodoResource } from './api.js'
import { decorators } from './preview.js'

/** A component, and a story of it as people write them. */
function TodoTitle({ id }: { id: number }) {
  const todo = useSuspense(TodoResource.get, { id })
  const controller = useController()
  const [sharpen] = useLoading(() => controller.fetch(TodoResource.partialUpdate, { id }, { title: 'Sharp' }))
  return (
    <button type="button" onClick={sharpen}>
      {todo.title}
    </button>
  )
}
const meta = { title: 'TodoTitle', component: TodoTitle }
const Pencil = {
  args: { id: 1 },
  render: ({ id }: { id: number }) => (
    <AsyncBoundary fallback="Loading">
      <TodoTitle id={id} />
    </AsyncBoundary>
  ),
}

const Story = composeStory(Pencil, meta, { decorators })
const root = document.getElementById('root')
if (root) createRoot(root).render(<Story />)
