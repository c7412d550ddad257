// What each framework's server.ts exports, and what surrounds its HTML.
import type { Transport } from '@roundtable/core'

/** Renders the page of one request: its HTML, and the script that holds its data. */
export type Render = (transport: Transport) => Promise<{ readonly body: string; readonly state: string }>

/** Sends requests to the API with the cookies of the request that is being answered. */
export function transportFor(api: string, cookie: string): Transport {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookie)
    return fetch(new URL(String(input), api), { ...init, headers })
  }
}

/** The whole page. */
export async function pageOf(render: Render, transport: Transport, script: string): Promise<string> {
  const { body, state } = await render(transport)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Issues</title><link rel="icon" href="data:,"></head>
<body><div id="app">${body}</div>${state}<script type="module" src="${script}"></script></body></html>`
}
