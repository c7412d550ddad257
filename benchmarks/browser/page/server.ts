import { type IssueChange, type IssueData, PINNED, type State, USERS, type UserData } from './issues.js'

/** A server within the page, which stands in for `fetch`: it answers after a delay that is always the same. */
export class Server {
  /** Requests since the last reset. */
  requests = 0
  /** Milliseconds that the server itself took since the last reset: they are nobody's. */
  spent = 0
  #delay = 0
  #pending = 0
  #users: UserData[] = []
  #issues: Omit<IssueData, 'author'>[] = []

  /** Holds so many issues from now on, and answers after so many milliseconds. */
  reset(count: number, delay: number): void {
    this.#delay = delay
    this.#users = Array.from({ length: USERS }, (_, i) => ({ id: i + 1, name: `User ${i + 1}` }))
    this.#issues = Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      title: `Issue ${i + 1} about something that takes a line of text`,
      state: i % 2 ? 'closed' : 'open',
      rank: (i * 7919) % count,
    }))
    this.startCount()
  }

  startCount(): void {
    this.requests = 0
    this.spent = 0
  }

  /** True while no request is under way. */
  get isIdle(): boolean {
    return this.#pending === 0
  }

  /** What `fetch` is in the page. */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    this.requests++
    this.#pending++
    const start = performance.now()
    const { pathname, searchParams } = new URL(String(input), location.href)
    const text = JSON.stringify(this.#answer(init.method ?? 'GET', pathname, searchParams, init.body))
    this.spent += performance.now() - start
    await (this.#delay > 0 ? new Promise((resolve) => setTimeout(resolve, this.#delay)) : nextTask())
    this.#pending--
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }

  #answer(method: string, path: string, search: URLSearchParams, body: BodyInit | null | undefined): unknown {
    const [, , kind, part] = path.split('/')
    const id = Number(part)
    const sent = typeof body === 'string' ? JSON.parse(body) : {}
    if (kind === 'users') return this.#rename(id, sent)
    if (kind === 'pinned') return this.#issues.slice(0, PINNED).map((issue) => this.#full(issue))
    if (method === 'POST') return this.#create(sent)
    if (method === 'PATCH') return this.#change(id, sent)
    if (method === 'DELETE') return this.#remove(id)
    if (part) return this.#full(this.#issues[this.#at(id)])
    const state = search.get('state')
    return this.#issues.filter((issue) => !state || issue.state === state).map((issue) => this.#full(issue))
  }

  #full(issue: Omit<IssueData, 'author'> | undefined): IssueData {
    if (issue === undefined) throw new Error('There is no such issue.')
    return { ...issue, author: this.#users[issue.id % USERS] as UserData }
  }

  #at(id: number): number {
    return this.#issues.findIndex((issue) => issue.id === id)
  }

  #rename(id: number, { name }: { readonly name: string }): UserData {
    const user = { id, name }
    this.#users[id - 1] = user
    return user
  }

  #create({ title, state }: { readonly title: string; readonly state: State }): IssueData {
    const issue = { id: this.#issues.length + 1, title, state, rank: this.#issues.length }
    this.#issues.push(issue)
    return this.#full(issue)
  }

  /** Who changes its list comes to the end. */
  #change(id: number, change: IssueChange): IssueData {
    const at = this.#at(id)
    const issue = { ...this.#full(this.#issues[at]), ...change }
    if (change.state) this.#issues.push(...this.#issues.splice(at, 1).map((old) => ({ ...old, ...change })))
    else this.#issues[at] = issue
    return this.#full(issue)
  }

  #remove(id: number): { id: number } {
    this.#issues.splice(this.#at(id), 1)
    return { id }
  }
}

/** A turn of everybody else: no answer of a network comes within the task that asked. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
