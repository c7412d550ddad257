import type { Controller } from '../client/controller.js'
import { hostOf } from '../client/registry.js'
import { hydrate } from './hydrate.js'
import { type DehydrateOptions, Parts } from './parts.js'
import { attribute, escapeState, stringifyJson } from './script.js'
import type { Dehydrated } from './state.js'

/** The property of the window to which the scripts of a streamed page add their states. */
const QUEUE = 'roundtable'

/** The options of `streamState`. */
export interface StreamStateOptions extends DehydrateOptions {
  /**
   * The nonce of the page's Content Security Policy. These scripts run, so a policy without `unsafe-inline` requires one.
   *
   * @default undefined
   */
  readonly nonce?: string | undefined
}

/** The options of `receiveState`. */
export interface ReceiveOptions {
  /**
   * The `buster` of `streamState`.
   *
   * @default ''
   */
  readonly buster?: string | undefined
  /**
   * True while a component renders: only missing data is added, and the states stay for a second call in an effect.
   *
   * @default false
   */
  readonly isRendering?: boolean | undefined
}

/**
 * Adds scripts with a controller's state to the HTML of a streamed page. Each part of the page follows the data with which
 * it was rendered.
 *
 * @remarks
 * The HTML must be a whole document, from `<html>` on, such as that of React's `renderToReadableStream`. The state of the
 * first part follows that part, since nothing may precede the doctype.
 *
 * @example
 * ```ts
 * async function respond(html: ReadableStream<Uint8Array>, controller: Controller): Promise<Response> {
 *   const page = streamState(html, controller, { nonce: 'r4nd0m' })
 *   return new Response(page, { headers: { 'content-type': 'text/html' } })
 * }
 * ```
 */
export function streamState(
  html: ReadableStream<Uint8Array>,
  controller: Controller,
  { nonce, ...options }: StreamStateOptions = {},
): ReadableStream<Uint8Array> {
  const { env } = hostOf(controller).runtime
  const parts = new Parts(controller, options)
  const stopListening = parts.listen()
  const encoder = new TextEncoder()
  let waiting: Uint8Array[] = []
  let isFirst = true
  let flushed: Promise<void> | undefined
  const scriptOf = (state: Dehydrated): string => {
    const nonced = nonce === undefined ? '' : ` nonce="${attribute(nonce)}"`
    return `<script${nonced}>${toStatement(state)}</script>`
  }
  return html.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, page) {
        waiting.push(chunk)
        // A renderer writes all chunks of a part in one task, and a chunk may end inside of a tag.
        flushed ??= new Promise((resolve) => {
          env.setTimeout(() => {
            flush(page)
            resolve()
          }, 0)
        })
      },
      async flush() {
        await flushed
        stopListening()
      },
    }),
  )

  function flush(page: TransformStreamDefaultController<Uint8Array>): void {
    const part = parts.next()
    const script = part === undefined ? [] : [encoder.encode(scriptOf(part))]
    try {
      for (const chunk of isFirst ? [...waiting, ...script] : [...script, ...waiting]) page.enqueue(chunk)
    } catch {
      // The browser has disconnected, of which the stream notifies the renderer.
      stopListening()
    }
    isFirst = false
    waiting = []
    flushed = undefined
  }
}

/**
 * Returns the code of a script that passes a state to `receiveState`, for frameworks with their own place for scripts
 * in a streamed page.
 *
 * @example
 * ```ts
 * const next = dehydrateParts(new Controller({ server: true }))
 * const part = next()
 * const html = part ? `<script>${toStatement(part)}</script>` : ''
 * ```
 */
export function toStatement(state: Dehydrated): string {
  // JSON in a string literal, since a field named __proto__ would have another meaning in code.
  return `(self.${QUEUE}??=[]).push(JSON.parse(${escapeState(JSON.stringify(stringifyJson(state)))}))`
}

/**
 * Adds the states of a streamed page to a controller, including later ones as they arrive. On a server it does
 * nothing.
 *
 * @returns a function that stops receiving
 * @example
 * ```ts
 * const controller = new Controller()
 * receiveState(controller)
 * ```
 */
export function receiveState(controller: Controller, { buster, isRendering = false }: ReceiveOptions = {}): () => void {
  if (typeof document === 'undefined') return () => {}
  const page = globalThis as unknown as { [QUEUE]?: Dehydrated[] }
  page[QUEUE] ??= []
  const queue = page[QUEUE]
  const receive = (state: Dehydrated): unknown => hydrate(controller, state, { buster, isRendering })
  if (isRendering) {
    for (const state of queue) receive(state)
    return () => {}
  }
  for (const state of queue.splice(0)) receive(state)
  queue.push = (...states) => {
    for (const state of states) receive(state)
    return 0
  }
  // Later states wait in the queue for the next receiver.
  return () => void Reflect.deleteProperty(queue, 'push')
}
