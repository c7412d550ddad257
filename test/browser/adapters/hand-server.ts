import type { Page, Route } from 'playwright-core'
import { eventually } from './eventually.js'

/** A request of a page, with a manual response. */
export class HandRequest {
  readonly name: string
  readonly #route: Route

  constructor(route: Route) {
    this.#route = route
    const request = route.request()
    this.name = `${request.method()} ${new URL(request.url()).pathname.replace('/api', '')}`
  }

  answer(body: unknown): Promise<void> {
    return this.#route.fulfill({ status: 200, json: body })
  }

  fail(status: number): Promise<void> {
    return this.#route.fulfill({ status, json: { message: 'No.' } })
  }
}

/**
 * A request that is answered at once and not noted: whatever the page sent before it has come, and what was answered
 * before is there.
 */
const REST = 'GET /rest'

/** Replaces the server of a page, and holds every request until a test responds to it. */
export class HandServer {
  readonly requests: HandRequest[] = []
  /** Responds at once to requests for which it returns a body. */
  answers: (request: HandRequest) => unknown = () => undefined

  static async behind(page: Page): Promise<HandServer> {
    const server = new HandServer()
    await page.route('**/api/**', (route) => {
      const request = new HandRequest(route)
      if (request.name === REST) return request.answer(null)
      server.requests.push(request)
      const body = server.answers(request)
      if (body !== undefined) return request.answer(body)
    })
    return server
  }

  get names(): string[] {
    return this.requests.map(({ name }) => name)
  }

  /** Waits until exactly these have been requested, in this order, and returns the last. */
  async requested(...names: readonly string[]): Promise<HandRequest> {
    await eventually(() => this.names, [...names])
    return this.requests.at(-1) as HandRequest
  }
}
