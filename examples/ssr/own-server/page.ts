// The exports of each framework's server.ts, and the page around its HTML.
import type { Transport } from '@roundtable/core'

/** The data that a page is rendered with. */
export interface PageRequest {
  readonly transport: Transport
  /** Of the Content Security Policy: inline scripts need it. */
  readonly nonce: string
  /** The address of the framework's script. */
  readonly script: string
  /** True if nothing may follow later: for a file, or for a reader without JavaScript. */
  readonly isWhole?: boolean
}

/** Renders the page of one request: a text, or a stream of its parts. */
export type Render = (request: PageRequest) => Promise<string | ReadableStream<Uint8Array>>

/** Sends requests to the API with the cookies of the page's request. */
export function transportFor(api: string, cookie: string): Transport {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookie)
    return fetch(new URL(String(input), api), { ...init, headers })
  }
}

/** The whole page, for frameworks that render a part of it. */
export function pageOf(body: string, state: string, script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Issues</title><link rel="icon" href="data:,"></head>
<body><div id="app">${body}</div>${state}<script type="module" src="${script}"></script></body></html>`
}
