import {
  type Controller,
  failure,
  type LiveQuery,
  type MutateEndpoint,
  mutating,
  type Observer,
  type PagesEndpoint,
  type PagesQuery,
  pagesOf,
  poll,
  type Queryable,
  type QuerySnapshot,
  type ReadEndpoint,
  reading,
} from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import { type Harness, type Now, show, showError, showKnown, showPages, type View } from '../harness.js'
import { follow } from '../known-contract.js'

/** Readers without a framework, as in a script, with a record of what each shows. */
export const plain: Harness = {
  name: 'plain scripts',
  keepsLast: false,
  mountsPending: true,
  noise: [],
  async open(controller, views) {
    const readers = views.map((view) => new Reader(controller, view))
    const now: Now = {
      change: (index, args) => readers[index]?.start(args),
      close: (index) => readers[index]?.end(),
    }
    const act = async (work: (now: Now) => unknown): Promise<void> => {
      await work(now)
      await settle()
    }
    await settle()
    return {
      texts: () => readers.filter(({ isOpen }) => isOpen).map(({ text }) => text),
      renders: (index) => readers[index]?.renders ?? 0,
      change: (index, args) => act(() => now.change(index, args)),
      close: (index) => act(() => now.close(index)),
      end: () =>
        act(() => {
          for (const reader of readers) reader.end()
        }),
      press: (index) => act(() => readers[index]?.retry()),
      act,
    }
  },
}

class Reader {
  text = ''
  renders = 0
  isOpen = false
  readonly #controller: Controller
  readonly #view: View
  readonly #stops: (() => void)[] = []
  #error: Error | undefined
  #query: LiveQuery<unknown> | undefined
  #pages: PagesQuery<unknown> | undefined

  constructor(controller: Controller, view: View) {
    this.#controller = controller
    this.#view = view
    this.start(view.args)
  }

  start(given: readonly unknown[]): void {
    this.end()
    this.isOpen = true
    const { hook, of } = this.#view
    // Tests pass the arguments of their reads.
    const args = given as [null]
    if (hook === 'query') this.#watch(this.#controller.view(of() as Queryable, ...args), show)
    else if (hook === 'cache') this.#watch(this.#controller.peek(of() as ReadEndpoint, ...args), show)
    else if (hook === 'subscription') this.#watch(this.#controller.peek(of() as ReadEndpoint, ...args), show)
    else if (hook === 'error') {
      const error = this.#controller.observe(failure, of() as ReadEndpoint, ...args)
      this.#watch(error, (shown) => (shown ? showError(shown) : 'nothing'))
    } else if (hook === 'fetching') {
      const endpoint = of() as ReadEndpoint | undefined
      const busy =
        endpoint === undefined ? this.#controller.observe(reading) : this.#controller.fetching(endpoint, ...args)
      this.#watch(busy, (isBusy) => (isBusy ? 'busy' : 'idle'))
    } else if (hook === 'mutating') {
      const busy = this.#controller.observe(mutating, of() as MutateEndpoint | undefined)
      this.#watch(busy, (isBusy) => (isBusy ? 'busy' : 'idle'))
    } else if (hook === 'pages') {
      const pages = pagesOf(this.#controller, of() as PagesEndpoint, ...args).after(this.#pages) as PagesQuery<unknown>
      this.#pages = pages
      this.#watch(pages, showPages, pages.fetching)
    } else if (hook === 'known') {
      const query = follow(this.#controller, this.#view, args, this.#query)
      this.#query = query
      this.#watch(query, showKnown, query.fetching)
    } else this.#watch(this.#controller.watch(of() as ReadEndpoint, ...args), (snapshot) => this.#told(snapshot))
    if (hook === 'live' || hook === 'subscription') {
      this.#stops.push(this.#controller.observe(poll, of() as ReadEndpoint, ...args).subscribe(() => {}))
    }
  }

  end(): void {
    for (const stop of this.#stops.splice(0)) stop()
    this.isOpen = false
  }

  retry(): void {
    if (this.#pages !== undefined) void this.#pages.fetchNext()
    else if (this.#query !== undefined) void this.#query.refetch()
    else this.#controller.dropError(this.#error)
  }

  #watch<Snapshot>(observer: Observer<Snapshot>, tell: (snapshot: Snapshot) => string, more?: Observer<unknown>): void {
    const update = (): void => {
      this.renders++
      this.text = tell(observer.getSnapshot())
    }
    update()
    this.#stops.push(observer.subscribe(update))
    if (more !== undefined) this.#stops.push(more.subscribe(update))
  }

  #told({ status, data, error }: QuerySnapshot<unknown>): string {
    this.#error = error
    // A reader that throws its error has no data.
    if (error !== undefined) return showError(error, this.#view.hook === 'dle' ? data : undefined)
    return status === 'pending' ? 'loading' : show(data)
  }
}
