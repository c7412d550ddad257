import { AsyncBoundary, DataProvider, useFetch, useSuspense } from '@roundtable/react'
import { type ReactNode, Suspense, startTransition, use, useDeferredValue, useState, useTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { controller, deeds } from '../settings.js'
import { reads, type Todo } from '../todos.js'
import { Failure } from './failure.js'

const { todo } = reads

interface WithId {
  readonly id: string
}

function Title({ id }: WithId): ReactNode {
  return useSuspense(todo, { id }).title
}

function Both(): ReactNode {
  const [one, two] = useSuspense([todo, { id: '1' }], [todo, { id: '2' }])
  return `${one.title} and ${two.title}`
}

/** The data of a transition that is under way is marked. */
function InTransition(): ReactNode {
  const [id, setId] = useState('1')
  const [isPending, startTransition] = useTransition()
  return (
    <Shown name="Go to 2" onPress={() => startTransition(() => setId('2'))}>
      <Title id={id} />
      {isPending && ', wait'}
    </Shown>
  )
}

function Deferred(): ReactNode {
  const [id, setId] = useState('1')
  const shownId = useDeferredValue(id)
  return (
    <Shown name="Go to 2" onPress={() => setId('2')}>
      <Title id={shownId} />
      {id !== shownId && ', wait'}
    </Shown>
  )
}

function Fetched(): ReactNode {
  const promise = useFetch(todo, { id: '1' })
  return (
    <Suspense fallback="loading">
      <Used promise={promise} />
    </Suspense>
  )
}

function Used({ promise }: { readonly promise: Promise<Todo> }): ReactNode {
  return use(promise).title
}

interface ShownProps {
  readonly children: ReactNode
  readonly name?: string
  readonly onPress?: () => void
}

/** A boundary, with a field beside it and one inside: typed text is lost if the boundary was unmounted. */
function Shown({ children, name, onPress }: ShownProps): ReactNode {
  return (
    <>
      {name && (
        <button type="button" onClick={onPress}>
          {name}
        </button>
      )}
      <input aria-label="Beside" />
      <output>
        <AsyncBoundary fallback="loading" errorComponent={Failure}>
          <input aria-label="Inside" />
          {children}
        </AsyncBoundary>
      </output>
    </>
  )
}

const shows: Readonly<Record<string, readonly ReactNode[]>> = {
  both: [
    <Shown key="0">
      <Both />
    </Shown>,
  ],
  siblings: [
    <Shown key="0">
      <Title id="1" /> and <Title id="2" />
    </Shown>,
  ],
  transition: [<InTransition key="0" />],
  deferred: [<Deferred key="0" />],
  use: [
    <Shown key="0">
      <Fetched />
    </Shown>,
  ],
  two: [
    <Shown key="0">
      <Title id="1" />
    </Shown>,
    <Shown key="1">
      <Title id="2" />
    </Shown>,
  ],
}

function Page(): ReactNode {
  const invalidate = (): void => controller.invalidate(todo, { id: '1' })
  const more = { ...deeds, Invalidate: invalidate, 'Invalidate in a transition': () => startTransition(invalidate) }
  return (
    <DataProvider controller={controller}>
      {Object.entries(more).map(([name, deed]) => (
        <button key={name} type="button" onClick={deed}>
          {name}
        </button>
      ))}
      {(shows[location.search.slice(1)] ?? []).map((shown, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order.
        <section key={index} data-reader={index}>
          {shown}
        </section>
      ))}
    </DataProvider>
  )
}

// Errors that a boundary has shown need not be printed.
const root = createRoot(document.querySelector('main') as HTMLElement, { onCaughtError: () => {} })
root.render(<Page />)
