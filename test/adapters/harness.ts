import type { Controller, ReadEndpoint } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'

/** The hook of a reader on the screen. */
export type Hook =
  | 'suspense'
  | 'dle'
  | 'cache'
  | 'query'
  | 'live'
  | 'subscription'
  /** `useSuspense` of two reads, one for each argument. */
  | 'parallel'
  /** `useSuspense` of a `useCancelling` */
  | 'cancelling'
  /** `useDLE` of a `useCancelling` */
  | 'cancelling-dle'
  | 'fetch'
  /** `useLoading` of the function that `of` returns: a button that calls it. */
  | 'loading'
  /** `useDLE`, with `refreshing` shown and a button that calls `refetch`. */
  | 'known'
  | 'fetching'
  | 'mutating'
  | 'error'
  /** `useConnection`: its status. */
  | 'connection'
  /** `useOutbox`: the names and statuses of waiting mutations. */
  | 'outbox'
  /** `usePending` of a schema. */
  | 'pending'
  /** `usePages`, with a button that calls `fetchNext`. */
  | 'pages'
  /** `useDebounce` of the argument, for `DEBOUNCE` ms. */
  | 'debounce'

/** How long the readers of a `useDebounce` wait, in ms. */
export const DEBOUNCE = 200

/** One reader on the screen. */
export interface View {
  readonly hook: Hook
  /** Returns what to read; called whenever the reader is rendered or set up. For `query` it is a schema. */
  readonly of: () => unknown
  readonly args: readonly unknown[]
  /** True if its `AsyncBoundary` is given nothing to show. */
  readonly isBare?: boolean
  /** True if it is remounted for another second argument. */
  readonly isKeyed?: boolean
  /** More props of its `AsyncBoundary`, whose `resetKeys` is then the second argument. */
  readonly resets?: {
    /** Returns its `listen` for that key. */
    readonly listen?: (key: unknown) => Listen | undefined
    readonly onError?: (error: Error) => void
    readonly onReset?: () => void
  }
}

/** The events that reset an `AsyncBoundary`. */
export type Listen = (reset: () => void) => () => void

/** The functions a framework provides for the contract. */
export interface Harness {
  readonly name: string
  /**
   * True if a suspended reader whose arguments change shows its last data until the new is there; else it shows that it
   * waits.
   */
  readonly keepsLast: boolean
  /** True if a reader that suspends is there before its data is: set up, and unmounted when it leaves. */
  readonly mountsPending: boolean
  /** The messages that the framework prints about errors in a boundary, and about itself. */
  readonly noise: readonly RegExp[]
  /** Mounts readers, each in its own `AsyncBoundary`, all under one provider. */
  open(controller: Controller, views: readonly View[]): Promise<Screen>
}

/** Readers on the screen. */
export interface Screen {
  /** The text of each reader. */
  texts(): readonly string[]
  /** How often a reader was rendered. */
  renders(index: number): number
  /** Gives a reader other arguments. */
  change(index: number, args: readonly unknown[]): Promise<void>
  /** Takes a reader off the screen. */
  close(index: number): Promise<void>
  /** Takes everything off the screen. */
  end(): Promise<void>
  /** Presses the button that a reader shows, such as the one to retry. */
  press(index: number): Promise<void>
  /** Runs a step, and lets the framework render the result. */
  act(work: (now: Now) => unknown): Promise<void>
}

/** The synchronous part of a step of the application. */
export interface Now {
  change(index: number, args: readonly unknown[]): void
  close(index: number): void
}

/** A view of an endpoint. */
export function view(hook: Hook, endpoint: unknown, ...args: readonly unknown[]): View {
  return { hook, of: () => endpoint, args }
}

/** Views are made for any endpoint; those that tests name have the arguments that they give. */
export function readOf({ of }: View): ReadEndpoint {
  return of() as ReadEndpoint
}

/** As `readOf`, of one with a single argument. */
export function oneArgReadOf({ of }: View): ReadEndpoint<(arg: null) => Promise<unknown>> {
  return of() as ReturnType<typeof oneArgReadOf>
}

/** As `readOf`, of one that can be copied with other options. */
export function extensibleOf({ of }: View): ReadEndpoint & { extend(options: object): unknown } {
  return of() as ReturnType<typeof extensibleOf>
}

/** Data as a reader shows it. */
export function show(data: unknown): string {
  if (data === undefined) return 'nothing'
  if (typeof data === 'string') return data
  if (Array.isArray(data)) return data.map(show).join(',')
  if (typeof data === 'object' && data !== null && 'title' in data) return String(data.title)
  return JSON.stringify(data)
}

/** The mutations that wait as a reader shows them. */
export function showOutbox(entries: readonly { readonly name: string; readonly status: string }[]): string {
  return entries.map(({ name, status }) => `${name} ${status}`).join(',') || 'nothing'
}

/** An error as a reader shows it, with the data that is there beside it. */
export function showError(error: Error, data?: unknown): string {
  return `failed: ${error.message}${data === undefined ? '' : ` (${show(data)})`}`
}

/** The text of a reader that shows all fields of `useDLE`. */
export function showKnown({
  data,
  loading,
  error,
  refreshing,
  failureCount,
  failureReason,
}: {
  readonly data: unknown
  readonly loading: boolean
  readonly error: Error | undefined
  readonly refreshing: boolean
  readonly failureCount: number
  readonly failureReason: Error | undefined
}): string {
  const known = loading ? 'loading' : error ? showError(error, data) : show(data)
  const failures = failureCount > 0 ? ` ${failureCount} × ${failureReason?.message}` : ''
  return `${known}${refreshing ? ' …' : ''}${failures}`
}

/** The text of a reader of `usePages`: `+` if another page follows, `~` while it is requested. */
export function showPages(
  shown: Parameters<typeof showKnown>[0] & { readonly hasNext: boolean | undefined; readonly fetchingNext: boolean },
): string {
  return `${showKnown(shown)}${shown.hasNext ? ' +' : ''}${shown.fetchingNext ? ' ~' : ''}`
}

/** The texts of all readers in a document, and their buttons. */
export function domScreen(root: HTMLElement): Pick<Screen, 'texts'> & { press(index: number): void } {
  const sections = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-view]')]
  return {
    // Elements that a framework hides stay in the document.
    texts: () => sections().map((section) => visibleText(section)),
    press: (index) => root.querySelector<HTMLElement>(`[data-view="${index}"] button`)?.click(),
  }
}

function visibleText(element: HTMLElement): string {
  if (element.style.display === 'none') return ''
  let text = ''
  for (const child of element.childNodes) {
    if (child.nodeType === 3) text += child.textContent
    else if (child.nodeType === 1) text += visibleText(child as HTMLElement)
  }
  return text
}

// Some tests turn the timers by hand; these turn with the world.
const { setTimeout: later } = globalThis

/** Runs a few turns of promises and framework queues. */
export async function breathe(): Promise<void> {
  await settle()
  await new Promise((resolve) => later(resolve, 0))
  await settle()
}
