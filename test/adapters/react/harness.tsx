import type { Controller, Queryable } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useCache,
  useController,
  useDLE,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from '@roundtable/react'
import { act, render } from '@testing-library/react'
import { Profiler, type ReactNode, useState } from 'react'
import { domScreen, type Harness, type Hook, readOf, show, type View } from '../harness.js'

/** Readers in React. `wrap` goes around everything: StrictMode, for one. */
export function reactHarness(name: string, wrap: (page: ReactNode) => ReactNode): Harness {
  return {
    name,
    keepsLast: false,
    mountsPending: false,
    async open(controller, views) {
      const handles: Handle[] = views.map(() => ({ renders: 0, setArgs: () => {}, setOpen: () => {} }))
      const acted = async (work: () => unknown): Promise<void> => {
        await act(async () => {
          await work()
          await settle()
        })
      }
      let page: ReturnType<typeof render> | undefined
      await acted(() => {
        page = render(wrap(<Page controller={controller} views={views} handles={handles} />))
      })
      const screen = domScreen(document.body)
      return {
        texts: screen.texts,
        renders: (index) => handles[index]?.renders ?? 0,
        change: (index, args) => acted(() => handles[index]?.setArgs(args)),
        close: (index) => acted(() => handles[index]?.setOpen(false)),
        end: () => acted(() => page?.unmount()),
        retry: (index) => acted(() => screen.press(index)),
        act: acted,
      }
    },
  }
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
  return (
    <section data-view={index}>
      <AsyncBoundary fallback="loading" errorComponent={Failure}>
        <Profiler id="reader" onRender={() => count(handle)}>
          <Reader view={view} args={args as [null]} />
        </Profiler>
      </AsyncBoundary>
    </section>
  )
}

function connect(handle: Handle, setOpen: Handle['setOpen'], setArgs: Handle['setArgs']): void {
  handle.setOpen = setOpen
  handle.setArgs = setArgs
}

function count(handle: Handle): void {
  handle.renders++
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  return (
    <button type="button" onClick={resetErrorBoundary}>
      failed: {error.message}
    </button>
  )
}

interface ReaderProps {
  readonly view: View
  /** Whatever the test gave; for the compiler nothing yet. */
  readonly args: [null]
}

function SuspenseReader({ view, args }: ReaderProps): ReactNode {
  return show(useSuspense(readOf(view), ...args))
}

function LiveReader({ view, args }: ReaderProps): ReactNode {
  return show(useLive(readOf(view), ...args))
}

function CacheReader({ view, args }: ReaderProps): ReactNode {
  return show(useCache(readOf(view), ...args))
}

function QueryReader({ view, args }: ReaderProps): ReactNode {
  return show(useQuery(view.of() as Queryable, ...args))
}

function DLEReader({ view, args }: ReaderProps): ReactNode {
  const controller = useController()
  const { data, loading, error } = useDLE(readOf(view), ...args)
  if (loading) return 'loading'
  return error ? <Failure error={error} resetErrorBoundary={() => controller.dropError(error)} /> : show(data)
}

function SubscriptionReader({ view, args }: ReaderProps): ReactNode {
  useSubscription(readOf(view), ...args)
  return show(useCache(readOf(view), ...args))
}

const readers: Record<Hook, (props: ReaderProps) => ReactNode> = {
  suspense: SuspenseReader,
  dle: DLEReader,
  cache: CacheReader,
  query: QueryReader,
  live: LiveReader,
  subscription: SubscriptionReader,
}
