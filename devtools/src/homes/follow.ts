import type { Session } from '../session.js'
import { type LogEvent, withoutQuietParts } from '../story.js'

/**
 * Passes on new events, at most once in a frame, until the returned function is called. Polls are passed on after they have
 * settled, and only the first of consecutive polls that change nothing.
 */
export function follow(session: Session, tell: (news: readonly LogEvent[]) => void): () => void {
  let last = session.events().at(-1)?.n ?? 0
  let polls: ReadonlySet<number> = new Set()
  let frame = 0
  const stop = session.subscribe(() => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      const events = session.events()
      const waiting = pollsInFlight(events)
      const isNew = ({ n }: LogEvent): boolean => (n > last || polls.has(n)) && !waiting.has(n)
      const news = withoutQuietParts(events).filter((event) => isNew(event) && !isRepeated(event))
      last = events.at(-1)?.n ?? last
      polls = waiting
      if (news.length > 0) tell(news)
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    stop()
  }
}

/** Returns the numbers of polls in flight. */
function pollsInFlight(events: readonly LogEvent[]): ReadonlySet<number> {
  const polls = new Map<number, number>()
  for (const event of events) {
    if (event.type === 'fetch' && event.cause.type === 'poll') polls.set(event.id, event.n)
    if (event.type === 'settle') polls.delete(event.id)
  }
  return new Set(polls.values())
}

function isRepeated(event: LogEvent): boolean {
  return event.type === 'fetch' && event.quietPolls !== undefined && event.quietPolls.count > 1
}
