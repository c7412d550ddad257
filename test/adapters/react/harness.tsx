import type { Controller, MutateEndpoint, PagesEndpoint, Queryable } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import {
  AsyncBoundary,
  DataProvider,
  type DLE,
  type ErrorFallbackProps,
  type ResetProps,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useFetching,
  useLive,
  useLoading,
  useMutating,
  usePages,
  useQuery,
  useSubscription,
  useSuspense,
} from '@roundtable/react'
import { useConnection } from '@roundtable/react/live'
import { useOutbox, usePending } from '@roundtable/react/offline'
import { act, render } from '@testing-library/react'
import * as React from 'react'
import { Profiler, type ReactNode, StrictMode, Suspense, useState } from 'react'
import {
  DEBOUNCE,
  domScreen,
  extensibleOf,
  type Harness,
  type Hook,
  type Now,
  oneArgReadOf,
  readOf,
  show,
  showError,
  showKnown,
  showOutbox,
  showPages,
  type View,
} from '../harness.js'

/** Readers in React. `wrap` goes around everything: StrictMode, for one. */
function reactHarness(name: string, wrap: (page: ReactNode) => ReactNode): Harness {
  return {
    name,
    keepsLast: false,
    mountsPending: false,
    noise: [/The above error occurred in the <\w+> component/],
    async open(controller, views) {
      const handles = views.map(newHandle)
      const now: Now = {
        change: (index, args) => handles[index]?.setArgs(args),
        close: (index) => handles[index]?.setOpen(false),
      }
      const acted = async (work: (now: Now) => unknown): Promise<void> => {
        await act(async () => {
          await work(now)
        })
        // What is fetched because of that is fetched once React has rendered.
        await act(settle)
      }
      let page: ReturnType<typeof render> | undefined
      await acted(() => {
        page = render(wrap(<Page controller={controller} views={views} handles={handles} />))
      })
      const screen = domScreen(page?.container ?? document.body)
      return {
        texts: screen.texts,
        renders: (index) => handles[index]?.renders ?? 0,
        change: (index, args) => acted(() => now.change(index, args)),
        close: (index) => acted(() => now.close(index)),
        end: () => acted(() => page?.unmount()),
        press: (index) => acted(() => screen.press(index)),
        act: acted,
      }
    },
  }
}

/** Readers in React as they are, and in StrictMode. */
export const react: Harness = reactHarness('React', (page) => page)
export const inStrictMode: Harness = reactHarness('React in StrictMode', (page) => <StrictMode>{page}</StrictMode>)

/** The page as it is rendered on a server. */
export function pageOf(controller: Controller, views: readonly View[]): ReactNode {
  return <Page controller={controller} views={views} handles={views.map(newHandle)} />
}

function newHandle(): Handle {
  return { renders: 0, setArgs: () => {}, setOpen: () => {} }
}

/** How a test reaches into a reader. */
interface Handle {
  renders: number
  setArgs: (args: readonly unknown[]) => void
  setOpen: (isOpen: boolean) => void
}

interface PageProps {
  readonly controller: Controller
  readonly views: readonly View[]
  readonly handles: readonly Handle[]
}

function Page({ controller, views, handles }: PageProps): ReactNode {
  return (
    <DataProvider controller={controller}>
      {views.map((view, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the views of a test stay in their order.
        <Section key={index} index={index} view={view} handle={handles[index] as Handle} />
      ))}
    </DataProvider>
  )
}

interface SectionProps {
  readonly index: number
  readonly view: View
  readonly handle: Handle
}

function Section({ index, view, handle }: SectionProps): ReactNode {
  const [isOpen, setOpen] = useState(true)
  const [args, setArgs] = useState(view.args)
  connect(handle, setOpen, setArgs)
  if (!isOpen) return null
  const Reader = readers[view.hook]
  const reader = (
    <Profiler key={view.isKeyed ? String(args[1]) : undefined} id="reader" onRender={() => count(handle)}>
      <Reader view={view} arg={args[0] as null} more={args[1] as null} />
    </Profiler>
  )
  return (
    <section data-view={index}>
      {view.isBare ? (
        <AsyncBoundary>{reader}</AsyncBoundary>
      ) : (
        <AsyncBoundary fallback="loading" errorComponent={Failure} {...resetsOf(view, args)}>
          {reader}
        </AsyncBoundary>
      )}
    </section>
  )
}

function resetsOf({ resets }: View, [, key]: readonly unknown[]): ResetProps {
  return resets === undefined ? {} : { ...resets, resetKeys: [key], listen: resets.listen?.(key) }
}

function connect(handle: Handle, setOpen: Handle['setOpen'], setArgs: Handle['setArgs']): void {
  handle.setOpen = setOpen
  handle.setArgs = setArgs
}

function count(handle: Handle): void {
  handle.renders++
}

function Failure({ error, data, resetErrorBoundary }: ErrorFallbackProps & { readonly data?: unknown }): ReactNode {
  return (
    <button type="button" onClick={resetErrorBoundary}>
      {showError(error, data)}
    </button>
  )
}

interface ReaderProps {
  readonly view: View
  /** Whatever the test gave; for the compiler nothing yet. */
  readonly arg: null
  readonly more: null | false
}

function SuspenseReader({ view, arg }: ReaderProps): ReactNode {
  return show(useSuspense(readOf(view), arg))
}

function ParallelReader({ view, arg, more }: ReaderProps): ReactNode {
  const read = oneArgReadOf(view)
  const [one, other] = useSuspense([read, arg], [read, more as null])
  return `${show(one)} + ${show(other)}`
}

function LiveQueryer({ view, arg }: ReaderProps): ReactNode {
  return show(useLive(readOf(view), arg))
}

function CacheReader({ view, arg }: ReaderProps): ReactNode {
  return show(useCache(readOf(view), arg))
}

function QueryReader({ view, arg }: ReaderProps): ReactNode {
  return show(useQuery(view.of() as Queryable, arg))
}

function ConnectionReader({ view, arg }: ReaderProps): ReactNode {
  return show(useConnection(readOf(view), arg)?.status)
}

function OutboxReader(): ReactNode {
  return showOutbox(useOutbox())
}

function PendingReader({ view, arg }: ReaderProps): ReactNode {
  return show(usePending(view.of() as Queryable, arg))
}

function DLEReader({ view, arg }: ReaderProps): ReactNode {
  return <Dle dle={useDLE(readOf(view), arg)} />
}

function Dle({ dle: { data, loading, error } }: { readonly dle: DLE<unknown> }): ReactNode {
  const controller = useController()
  if (loading) return 'loading'
  return error ? (
    <Failure error={error} data={data} resetErrorBoundary={() => controller.dropError(error)} />
  ) : (
    show(data)
  )
}

function KnownReader({ view, arg }: ReaderProps): ReactNode {
  const dle = useDLE(readOf(view), arg)
  return (
    <button type="button" onClick={dle.refetch}>
      {showKnown(dle)}
    </button>
  )
}

function PagesReader({ view, arg }: ReaderProps): ReactNode {
  const pages = usePages(readOf(view) as PagesEndpoint, arg)
  return (
    <button type="button" onClick={pages.fetchNext}>
      {showPages(pages)}
    </button>
  )
}

function FetchingReader({ view, arg }: ReaderProps): ReactNode {
  return view.of() === undefined ? <AnyFetching /> : <OneFetching view={view} arg={arg} />
}

function AnyFetching(): ReactNode {
  return useFetching() ? 'busy' : 'idle'
}

function OneFetching({ view, arg }: Pick<ReaderProps, 'view' | 'arg'>): ReactNode {
  return useFetching(readOf(view), arg) ? 'busy' : 'idle'
}

function MutatingReader({ view }: ReaderProps): ReactNode {
  return useMutating(view.of() as MutateEndpoint | undefined) ? 'busy' : 'idle'
}

function ErrorReader({ view, arg }: ReaderProps): ReactNode {
  const error = useError(readOf(view), arg)
  return error ? showError(error) : 'nothing'
}

function SubscriptionReader({ view, arg }: ReaderProps): ReactNode {
  useSubscription(readOf(view), arg)
  return show(useCache(readOf(view), arg))
}

function CancellingReader({ view, arg }: ReaderProps): ReactNode {
  return show(useSuspense(useCancelling(extensibleOf(view), arg), arg))
}

function CancellingDLEReader({ view, arg }: ReaderProps): ReactNode {
  return <Dle dle={useDLE(useCancelling(extensibleOf(view), arg), arg)} />
}

function FetchReader({ view, arg }: ReaderProps): ReactNode {
  const promise = useFetch(readOf(view), arg)
  return (
    <Suspense fallback="loading">
      <Used promise={promise} />
    </Suspense>
  )
}

function Used({ promise }: { readonly promise: Promise<unknown> }): ReactNode {
  return show(useNow(promise))
}

/** React 18 has no `use`. */
const useNow = 'use' in React ? React.use : waitAsReact19

function waitAsReact19(promise: Promise<unknown> & { status?: string; value?: unknown; reason?: unknown }): unknown {
  if (promise.status === 'fulfilled') return promise.value
  if (promise.status === 'rejected') throw promise.reason
  throw promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    (reason) => Object.assign(promise, { status: 'rejected', reason }),
  )
}

function LoadingReader({ view }: ReaderProps): ReactNode {
  const [run, loading, error] = useLoading(view.of() as () => Promise<unknown>)
  const text = loading ? 'loading' : error ? `failed: ${error.message}` : 'idle'
  return (
    <button type="button" onClick={() => run()}>
      {text}
    </button>
  )
}

function DebounceReader({ arg, more }: ReaderProps): ReactNode {
  const [value, isPending] = useDebounce<unknown>(arg, DEBOUNCE, more !== false)
  return `${show(value)}${isPending ? ' …' : ''}`
}

const readers: Record<Hook, (props: ReaderProps) => ReactNode> = {
  suspense: SuspenseReader,
  parallel: ParallelReader,
  dle: DLEReader,
  cache: CacheReader,
  query: QueryReader,
  connection: ConnectionReader,
  outbox: OutboxReader,
  pending: PendingReader,
  live: LiveQueryer,
  subscription: SubscriptionReader,
  cancelling: CancellingReader,
  'cancelling-dle': CancellingDLEReader,
  fetch: FetchReader,
  loading: LoadingReader,
  debounce: DebounceReader,
  known: KnownReader,
  fetching: FetchingReader,
  mutating: MutatingReader,
  error: ErrorReader,
  pages: PagesReader,
}
