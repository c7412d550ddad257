import { Controller, Entity, RestEndpoint, type Transport } from '@roundtable/core'
import { AsyncBoundary, DataProvider, useDLE, useFetching, useMutating, useSuspense } from '@roundtable/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })

const transport: Transport = async (input) => {
  const id = Number(String(input).split('/').at(-1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  return Response.json({ id, title: `t${id}` })
}

const controller = new Controller({ transport })

/** Everything that shows requests. */
function Busy(): ReactNode {
  const isAny = useFetching()
  const isOne = useFetching(getTodo, { id: 1 })
  const isSaving = useMutating()
  const { refreshing, failureCount } = useDLE(getTodo, { id: 9 })
  return <p>{[isAny, isOne, isSaving, failureCount, refreshing].join()}</p>
}

function Title({ id }: { readonly id: number }): ReactNode {
  return useSuspense(getTodo, { id }).title
}

function Page(): ReactNode {
  const [id, setId] = useState(0)
  return (
    <>
      <Busy />
      <button type="button" onClick={() => setId(id + 1)}>
        Next
      </button>
      <output>
        <AsyncBoundary fallback="loading">{id === 0 ? 'none' : <Title id={id} />}</AsyncBoundary>
      </output>
    </>
  )
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>
  </StrictMode>,
)
