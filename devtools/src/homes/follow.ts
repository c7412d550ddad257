import type { Session } from '../session.js'
import type { LogEvent } from '../story.js'

/** Hands on what happens from now on, at most once in a frame. Returns a function that ends it. */
export function follow(session: Session, tell: (news: readonly LogEvent[]) => void): () => void {
  let last = session.events().at(-1)?.n ?? 0
  let frame = 0
  const stop = session.subscribe(() => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      const news = session.events().filter(({ n }) => n > last)
      last = news.at(-1)?.n ?? last
      if (news.length > 0) tell(news)
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    stop()
  }
}
