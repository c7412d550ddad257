import { browserEnv, Controller, Entity, poll, RestEndpoint } from '@roundtable/core'
import { type LiveMessage, live, type Wire } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { DataProvider, useQuery } from '@roundtable/react'
import { memo, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

const ROWS = 10_000
const GROUP = 100

class Quote extends Entity {
  static override key = 'Quote'
  id = 0
  value = 0
  note = ''
}

/** What the test reads. */
export interface LoadPage {
  /** How many messages were read, and the most between two frames. */
  read: number
  mostRead: number
  /** How many commits there were, and the most in one frame. */
  commits: number
  mostCommits: number
  renders: number
  /** Shows all rows and reads a stream: as the library does, or with a `controller.set` for each message. */
  start(mode: Mode, url: string, options?: { readonly frame?: number; readonly maxBuffer?: number }): void
  stop(): void
  /** The value that each row shows. */
  shown(): number[]
}

export type Mode = 'live' | 'set'

const page: LoadPage = { read: 0, mostRead: 0, commits: 0, mostCommits: 0, renders: 0, start, stop: () => {}, shown }
Object.assign(window, { page })

const Row = memo(function Row({ id }: { readonly id: number }): ReactNode {
  page.renders += 1
  return <b>{useQuery(Quote, { id })?.value ?? -1}</b>
})

const Group = memo(function Group({ first }: { readonly first: number }): ReactNode {
  const ids = Array.from({ length: GROUP }, (_, i) => first + i)
  return (
    <div>
      {ids.map((id) => (
        <Row key={id} id={id} />
      ))}
    </div>
  )
})

function start(mode: Mode, url: string, { frame, maxBuffer }: { frame?: number; maxBuffer?: number } = {}): void {
  const env = browserEnv()
  const slow = frame === undefined ? env : { ...env, frame: (run: () => void) => void setTimeout(run, frame) }
  const controller = new Controller({ env: slow, retention: false })
  const quotes = Array.from({ length: ROWS }, (_, id) => ({ id, value: 0, note: '' }))
  const source = live({
    name: 'quotes',
    url: `${url}/events`,
    wire: noted(sse()),
    messages: { changed: Quote },
    ...(maxBuffer !== undefined && { maxBuffer }),
  })
  const getQuotes = new RestEndpoint({ urlPrefix: url, path: '/quotes', schema: [Quote], ...source })
  controller.setResponse(getQuotes, quotes)
  const firsts = Array.from({ length: ROWS / GROUP }, (_, i) => i * GROUP)
  const groups = firsts.map((first) => <Group key={first} first={first} />)
  const root = createRoot(document.querySelector('main') as HTMLElement)
  flushSync(() => root.render(<DataProvider controller={controller}>{groups}</DataProvider>))
  page.renders = 0
  count(controller)
  const stop = mode === 'live' ? controller.observe(poll, getQuotes).subscribe(() => {}) : setEach(controller, url)
  page.stop = () => {
    stop()
    root.unmount()
    controller.dispose()
  }
}

/** Counts the commits of each frame: all that happens in one has its time. */
function count(controller: Controller): void {
  Object.assign(page, { read: 0, mostRead: 0, commits: 0, mostCommits: 0 })
  let frame: unknown
  let commits = 0
  controller.on('commit', () => {
    // That the stream was opened is one too.
    if (between === 0) return
    const now = document.timeline.currentTime
    commits = now === frame ? commits + 1 : 1
    frame = now
    page.commits += 1
    page.mostCommits = Math.max(page.mostCommits, commits)
    between = 0
  })
}

/** How many messages were read since the last commit. */
let between = 0

function noted(wire: Wire): Wire {
  return async function* (context) {
    for await (const messages of wire(context))
      yield Object.assign([...messages], { [Symbol.iterator]: () => counted(messages) })
  }
}

/** A wire reads as much as the network brings at once; the source takes one message after the other. */
function* counted(messages: readonly LiveMessage[]): Generator<LiveMessage, void> {
  for (const message of messages) {
    if (message.type === 'changed') {
      page.read += 1
      between += 1
      page.mostRead = Math.max(page.mostRead, between)
    }
    yield message
  }
}

/** The same stream, as applications read it by hand: a commit for each message. */
function setEach(controller: Controller, url: string): () => void {
  const source = new EventSource(`${url}/events`)
  source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
    page.read += 1
    between += 1
    const quote = JSON.parse(data) as { readonly id: number }
    controller.set(Quote, { id: quote.id }, quote)
  })
  return () => source.close()
}

function shown(): number[] {
  return Array.from(document.querySelectorAll('b'), ({ textContent }) => Number(textContent))
}
