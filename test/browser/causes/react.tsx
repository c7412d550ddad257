import { DataProvider, useDLE, usePages, useSubscription } from '@roundtable/react'
import type { ReactElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { controller, getList, getPrice, retry, type Shown, TodoResource, told } from './app.js'

function TodoPart({ id }: { readonly id: string }): ReactElement {
  const { data, error, refetch } = useDLE(TodoResource.get, { id })
  return (
    <>
      <output>{told(data, error)}</output>
      <button type="button" onClick={refetch}>
        Refetch
      </button>
      <button type="button" onClick={() => retry(error)}>
        Retry
      </button>
    </>
  )
}

function PricePart({ id }: { readonly id: string }): ReactElement {
  useSubscription(getPrice, { id })
  const { data, error } = useDLE(getPrice, { id })
  return <output>{told(data, error)}</output>
}

function ListPart({ id }: { readonly id: string }): ReactElement {
  const { data, error, fetchNext } = usePages(getList, { id })
  return (
    <>
      <output>{told(data, error)}</output>
      <button type="button" onClick={fetchNext}>
        Next
      </button>
    </>
  )
}

const Part = { todo: TodoPart, price: PricePart, list: ListPart, none: () => null }

/** A reader of React; returns a function that shows something else in it at once. */
export function mountReact(element: HTMLElement): (shown: Shown) => void {
  const root = createRoot(element)
  return ({ part, id }) => {
    const Chosen = Part[part]
    flushSync(() =>
      root.render(
        <DataProvider controller={controller}>
          <Chosen id={id} />
        </DataProvider>,
      ),
    )
  }
}
