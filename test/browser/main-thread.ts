import type { Browser, Page } from 'playwright-core'

/** The work of the page's main thread during a step, in milliseconds. */
export interface MainThread {
  /** The longest task from its begin to its end, as a person feels it. */
  readonly longest: number
  /** The most processor time that the thread itself used in one task: other processes of a busy machine add little to it. */
  readonly longestBusy: number
  /** The processor time of all tasks. */
  readonly busy: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Runs a step and traces the page: scripts, styles, layout, paint and garbage collection all count. */
export async function watchMainThread(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<MainThread> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  // Tracing ends in any case, or the next one could not start.
  await act().catch(async (error: unknown) => {
    await browser.stopTracing()
    throw error
  })
  const buffer = await browser.stopTracing()
  const { traceEvents: events }: { traceEvents: TraceEvent[] } = JSON.parse(buffer.toString())
  const isMain = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  )
  const tasks = events.filter((event) => event.name === 'RunTask' && isMain.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page.')
  const busy = tasks.map(({ tdur = 0 }) => tdur / 1000)
  return {
    longest: Math.max(...tasks.map(({ dur = 0 }) => dur / 1000)),
    longestBusy: Math.max(...busy),
    busy: busy.reduce((sum, time) => sum + time, 0),
  }
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`
}
