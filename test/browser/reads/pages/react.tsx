import { DataProvider, useDLE, usePages, useSubscription } from '@roundtable/react'
import { type ReactElement, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  controller,
  found,
  getFlaky,
  getFresh,
  getPrice,
  getStale,
  listed,
  part,
  priced,
  searchTodos,
  TodoResource,
  told,
} from './app.js'

function Search(): ReactElement {
  const [q, setQ] = useState('a')
  const { data, loading, refreshing } = useDLE(searchTodos, { q })
  return (
    <>
      <input value={q} onChange={(event) => setQ(event.target.value)} />
      <output>{found({ data, loading, refreshing })}</output>
    </>
  )
}

function List(): ReactElement {
  const { data, hasNext, fetchNext, refetch } = usePages(TodoResource.getList)
  return (
    <>
      <button type="button" onClick={fetchNext}>
        Next
      </button>
      <button type="button" onClick={refetch}>
        Refresh
      </button>
      <output>{listed(data, hasNext)}</output>
    </>
  )
}

function Flaky(): ReactElement {
  return <output>{told(useDLE(getFlaky))}</output>
}

function Both(): ReactElement {
  return <output>{`${told(useDLE(getFresh))} ${told(useDLE(getStale))}`}</output>
}

function Price(): ReactElement {
  // Not useLive: React shows what has suspended after a pause, and time stands still in this test.
  useSubscription(getPrice)
  const { data, loading } = useDLE(getPrice)
  return <output>{loading ? 'loading' : priced(data)}</output>
}

function Todo(): ReactElement {
  const { data } = useDLE(TodoResource.get, { id: 1 })
  return <output>{`${data?.title} ${data?.note}`}</output>
}

const Part = { search: Search, list: List, flaky: Flaky, both: Both, price: Price, todo: Todo }[part] ?? Search

createRoot(document.querySelector('main') as HTMLElement).render(
  <DataProvider controller={controller}>
    <Suspense fallback={<output>loading</output>}>
      <Part />
    </Suspense>
  </DataProvider>,
)
