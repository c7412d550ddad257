import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Services } from '../services.js'
import type { NewsItem } from '../task-news.js'

/** The header in which a response names the last change that it includes, and a stream the change after which it begins. */
export const EVENT_ID = 'x-event-id'

/** A sign of life at least that often, in ms: proxies and clients close what is silent. */
const PATIENCE = 15_000

/**
 * `GET /api/tasks/events`: server-sent events, one for each task that is made, changed or deleted. A client that names
 * the last one it has got (`Last-Event-ID`) gets those that came after it, as long as they are remembered; the header
 * `x-event-id` says behind which event the stream begins.
 */
export function streamTasks(c: Context, { news }: Services): Response {
  const asked = c.req.header('last-event-id')
  let position = asked !== undefined && news.after(asked) !== undefined ? asked : news.position
  c.header(EVENT_ID, position)
  return streamSSE(c, async (stream) => {
    for (;;) {
      const items = news.after(position)
      // A client so slow that changes were forgotten starts over.
      if (items === undefined || stream.aborted || news.isClosed) return
      if (items.length === 0) {
        await stream.write(':\n\n')
        if (!stream.aborted) await news.next(PATIENCE)
      }
      for (const { id, type, taskId, task, by } of newestOfEach(items))
        await stream.writeSSE({ id, event: type, data: JSON.stringify({ task: task ?? { id: taskId }, by }) })
      position = items.at(-1)?.id ?? position
    }
  })
}

/** Only the last of several changes of a task, so that a slow client does not fall behind. */
function newestOfEach(items: readonly NewsItem[]): readonly NewsItem[] {
  const newest = new Map<string, NewsItem>()
  for (const item of items) {
    // A separate message for new tasks, which their creator skips.
    const key = `${item.type === 'task.created'} ${item.taskId}`
    newest.delete(key)
    newest.set(key, item)
  }
  return [...newest.values()]
}
