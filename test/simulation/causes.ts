import type { ActionEvent, Cause, Controller } from '@roundtable/core'
import { inspect } from '@roundtable/core/inspect'
import { must } from './wrong.js'

/** What each type of cause refers to by its `by`. */
const REFERS_TO: { readonly [Type in Cause['type']]?: readonly (ActionEvent['type'] | 'request' | 'done')[] } = {
  page: ['request'],
  batch: ['request'],
  focus: ['focus'],
  online: ['online'],
  retry: ['dropError', 'request'],
  invalidate: ['invalidate'],
  // Data that was invalidated while its request was in flight is stale from then on.
  expire: ['expire', 'invalidate'],
  // A list that a row enters by a local write shows a row of which no response has told everything.
  contested: ['done', 'set', 'request'],
}

/** The law of causes: each request and each commit tells what led to it, and that is something that events have told. */
export class Causes {
  readonly #known = new Map<number, ActionEvent['type'] | 'request' | 'done'>()
  /** A mutation's completion is told after the commit that it makes. */
  #unchecked: (() => void)[] = []

  listenTo(controller: Controller): void {
    inspect(controller)
    controller.on('action', ({ id, type }) => this.#note(id, type))
    controller.on('settle', ({ done }) => done > 0 && this.#note(done, 'done'))
    controller.on('fetch', ({ id, key, cause }) => {
      this.#note(id, 'request')
      this.#unchecked.push(() => this.#checkRequest(key, cause))
    })
    controller.on('commit', ({ keys, causes = [] }) => {
      const known = causes.filter((by) => by < 1 || this.#known.has(by))
      must(causes.length > 0 && known.length === causes.length, () => `a commit of ${keys} is due to ${causes}`)
    })
  }

  /** Compares what was told since the last step. */
  check(): void {
    const checks = this.#unchecked
    this.#unchecked = []
    for (const check of checks) check()
  }

  #note(id: number, what: ActionEvent['type'] | 'request' | 'done'): void {
    must(!this.#known.has(id), () => `two events have the number ${id}`)
    this.#known.set(id, what)
  }

  #checkRequest(key: string, cause: Cause): void {
    const by = 'by' in cause ? cause.by : undefined
    const expected = REFERS_TO[cause.type]
    if (by === undefined) must(expected === undefined, () => `${key} was sent by ${cause.type} of nothing`)
    else
      must(
        expected?.includes(this.#known.get(by) as never) === true,
        () => `${key} was sent by ${cause.type} of ${by}, which is ${this.#known.get(by)}`,
      )
  }
}
