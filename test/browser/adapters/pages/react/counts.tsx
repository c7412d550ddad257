import { Controller, Endpoint, Entity } from '@roundtable/core'
import { DataProvider, useController, useQuery, useSuspense } from '@roundtable/react'
import { type ReactNode, startTransition, useDeferredValue, useEffect, useReducer, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The ways to pass data to React. */
export type Way = 'outside' | 'transition' | 'deferred'

/** The observations of a run. */
export interface Findings {
  /** Commits after which readers of one count showed different numbers. */
  readonly torn: number
  /** Renderings in which readers met different numbers, because the store changed in the middle. */
  readonly crossed: number
  /** Other tasks that had a turn between the first and the last reader of a rendering. */
  readonly turns: number
  /** The final texts of the readers. */
  readonly shown: readonly string[]
  /** The final data of the store. */
  readonly count: number
}

/** How many readers there are, and how many milliseconds each takes: React pauses between them where it may. */
const READERS = 20
const SLOWNESS = 5

class Count extends Entity {
  static override key = 'Count'
  id = ''
  count = 0
}

const getCount = new Endpoint(async (_: { readonly id: string }): Promise<unknown> => new Promise(() => {}), {
  name: 'getCount',
  schema: Count,
  dataExpiryLength: Number.POSITIVE_INFINITY,
})

const controller = new Controller()
controller.setResponse(getCount, { id: '1' }, { id: '1', count: 0 })

const countNow = (): number => controller.get(Count, { id: '1' })?.count ?? Number.NaN
const add = (): void => controller.set(Count, { id: '1' }, { count: countNow() + 1 })

/** Ways to read; the last reads as nobody should, and shows that this page detects tearing. */
const hooks = {
  query: () => useQuery(Count, { id: '1' })?.count ?? Number.NaN,
  suspense: () => useSuspense(getCount, { id: '1' }).count,
  careless: () => {
    const controller = useController()
    const [, render] = useReducer((renders: number) => renders + 1, 0)
    useEffect(() => controller.view(Count, { id: '1' }).subscribe(render), [controller])
    return countNow()
  },
}
const address = new URLSearchParams(location.search)
const useCount = hooks[address.get('hook') as keyof typeof hooks]
const useShown = address.has('deferred') ? useDeferredCount : useCount

function useDeferredCount(): number {
  return useDeferredValue(useCount())
}

/** The values that the readers rendered since the last commit. */
let met = new Set<number>()
let turnsAtFirst = 0
let turns = 0
let torn = 0
let crossed = 0
let mostTurns = 0

function Reader({ index }: { readonly index: number }): ReactNode {
  const count = useShown()
  meet(index, count)
  return <li>{count}</li>
}

function meet(index: number, count: number): void {
  if (index === 0) {
    met = new Set()
    turnsAtFirst = turns
  }
  met.add(count)
  const end = performance.now() + SLOWNESS
  while (performance.now() < end);
  if (index < READERS - 1) return
  if (met.size > 1) crossed++
  mostTurns = Math.max(mostTurns, turns - turnsAtFirst)
}

/** Changes the store after every reader has rendered and before React puts on the screen what they rendered. */
function Intruder(): ReactNode {
  if (isIntruding) {
    isIntruding = false
    add()
  }
  return null
}

let isIntruding = false
let showReaders: (are: boolean) => void = () => {}

function Page(): ReactNode {
  const [areShown, setShown] = useState(false)
  const areShownLater = useDeferredValue(areShown)
  showReaders = setShown
  return (
    <>
      {address.has('mounted') && <First />}
      <ul>
        {(address.has('deferred') ? areShownLater : areShown) &&
          Array.from({ length: READERS }, (_, index) => <Reader key={String(index)} index={index} />)}
      </ul>
      <Intruder key={String(areShown)} />
    </>
  )
}

/** A reader that is there from the beginning. */
function First(): ReactNode {
  return <li>{useCount()}</li>
}

const numbers = (): string[] => [...document.querySelectorAll('li')].map(({ textContent }) => textContent)

/** Runs `start`, changes the store again and again meanwhile, and returns the observations. */
async function run(start: () => void, changes: number): Promise<Findings> {
  torn = crossed = mostTurns = 0
  const observer = new MutationObserver(() => {
    if (new Set(numbers()).size > 1) torn++
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  start()
  for (let change = 0; change < changes; change++) {
    await new Promise((resolve) => setTimeout(resolve, 3 * SLOWNESS))
    add()
  }
  const isDone = (): boolean => numbers().length >= READERS && numbers().every((text) => text === String(countNow()))
  const end = performance.now() + 60_000
  while (!isDone() && performance.now() < end) await new Promise(requestAnimationFrame)
  await new Promise((resolve) => setTimeout(resolve, 50))
  observer.disconnect()
  return { torn, crossed, turns: mostTurns, shown: numbers(), count: countNow() }
}

const told: Record<Way, (work: () => void) => void> = {
  outside: (work) => work(),
  transition: startTransition,
  // The value is deferred where it is read.
  deferred: (work) => work(),
}

/** The functions that tests call. */
export interface CountsPage {
  /** Shows the readers while the count changes. */
  mount(way: Way): Promise<Findings>
  /** Changes the count while the readers are there. */
  update(way: Way): Promise<Findings>
  /** Shows the readers, and changes the count once, between what they render and its commit. */
  intrude(): Promise<Findings>
}

const countsPage: CountsPage = {
  mount: (way) => run(() => told[way](() => showReaders(true)), 4),
  async update(way) {
    await run(() => showReaders(true), 0)
    return run(() => told[way](add), 4)
  },
  intrude: () =>
    run(() => {
      isIntruding = true
      startTransition(() => showReaders(true))
    }, 0),
}
Object.assign(window, { countsPage })

// Another task that wants a turn, always.
const other = new MessageChannel()
other.port1.onmessage = () => {
  turns++
  setTimeout(() => other.port2.postMessage(undefined), 1)
}
other.port2.postMessage(undefined)

createRoot(document.querySelector('main') as HTMLElement).render(
  <DataProvider controller={controller}>
    <Page />
  </DataProvider>,
)
