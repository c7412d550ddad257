import type { Controller } from '../client/controller.js'
import { type DehydrateOptions, Parts } from './parts.js'
import type { Dehydrated } from './state.js'

/** The options of `dehydrateStream`. */
export interface StreamOptions extends DehydrateOptions {
  /** Ends the stream after the data stored so far, such as when a page is complete. */
  readonly signal: AbortSignal
}

/**
 * Returns the server state as a stream: first the existing data, then the additions of each microtask with a commit, until
 * the signal aborts.
 *
 * @example
 * ```ts
 * const controller = new Controller({ server: true })
 * const page = new AbortController()
 * const parts = dehydrateStream(controller, { signal: page.signal })
 * await controller.fetch(getTodos)
 * page.abort() // the page is complete
 * for await (const part of parts) console.log(toScript(part))
 * ```
 */
export function dehydrateStream(
  controller: Controller,
  { signal, ...options }: StreamOptions,
): ReadableStream<Dehydrated> {
  const parts = new Parts(controller, options)
  let stop = (): void => {}
  return new ReadableStream({
    start(stream) {
      const send = (): void => {
        const part = parts.next()
        if (part !== undefined) stream.enqueue(part)
      }
      let isDue = false
      const stopListening = parts.listen(() => {
        if (!isDue)
          queueMicrotask(() => {
            isDue = false
            if (!signal.aborted) send()
          })
        isDue = true
      })
      const end = (): void => {
        stop()
        send()
        stream.close()
      }
      stop = () => {
        stopListening()
        signal.removeEventListener('abort', end)
      }
      if (signal.aborted) end()
      else {
        send()
        signal.addEventListener('abort', end)
      }
    },
    cancel: () => stop(),
  })
}
