import type { EndpointInterface } from '../endpoint/options.js'
import type { Holders } from '../engine/retention.js'
import { freshness, type Verdict } from '../freshness.js'
import type { Schema } from '../schema/schema.js'
import type { Kept } from '../table/refs.js'
import { stableKey } from '../util/stable-key.js'
import type { Desk } from './desk.js'
import { Fetching } from './fetching.js'
import { checkEndpoint, checkRead, checkSchema } from './given.js'
import { keyOf, readOnce } from './key-of.js'
import type { KeyView } from './key-view.js'
import type { Observer } from './observer.js'
import { Peek } from './peek.js'
import { failedQuery, IDLE_QUERY, LiveQuery, type Query } from './query.js'
import { Selection } from './selection.js'
import { type Back, Shelf, type Shelved } from './shelf.js'

const NOTHING: Observer<undefined> = Object.freeze({ getSnapshot: () => undefined, subscribe: () => () => {} })
const NEVER: Observer<boolean> = Object.freeze({ getSnapshot: () => false, subscribe: () => () => {} })

/** A kind of observer that comes with an import of its own, such as `poll`. It is called once for each `controller.observe`. */
export type ObserverKind<Shown> = (
  desk: Desk,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string,
) => Observer<Shown>

/** All observers of a controller: the same question has the same one, and retention asks them what is needed. */
export class Observers implements Holders {
  readonly #desk: Desk
  readonly #queries = new Shelf<LiveQuery>()
  readonly #peeks = new Shelf<Peek>()
  readonly #selections = new Shelf<Selection>()
  readonly #fetching = new Shelf<Fetching>()
  /** What could not be asked for, by what is wrong with it. */
  readonly #mistakes = new Map<string, Query<never>>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Those who stand on the table. */
  all(): (LiveQuery | Peek | Selection)[] {
    return [...this.#queries, ...this.#peeks, ...this.#selections].map(([, item]) => item)
  }

  /** A request of a key began or ended. */
  requested(key: string): void {
    for (const fetching of this.#fetching.of(key)) fetching.update()
  }

  queryOf(endpoint: EndpointInterface, given: readonly unknown[]): LiveQuery | typeof IDLE_QUERY {
    if (given[0] === null) return IDLE_QUERY
    const args = readOnce(given)
    const make = (key: string, back: Back<LiveQuery>) => new LiveQuery(this.#desk, endpoint, args, key, back)
    return this.#renewed(this.#queries, endpoint, args, make)
  }

  /** As `queryOf`, and what cannot be asked for has failed. The same mistake is the same error, however often it is made. */
  queryOrErrorOf(endpoint: EndpointInterface, args: readonly unknown[]): Query<unknown> {
    try {
      return this.queryOf(endpoint, args)
    } catch (thrown) {
      // `keyOf` and the checks throw nothing else.
      const error = thrown as Error
      const known = this.#mistakes.get(error.message)
      if (known !== undefined) return known
      const failed = failedQuery(error)
      // There are few; a message may hold what a user has typed.
      if (this.#mistakes.size > 100) this.#mistakes.clear()
      this.#mistakes.set(error.message, failed)
      return failed
    }
  }

  peekOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<unknown> {
    if (args[0] === null) return NOTHING
    checkEndpoint(endpoint)
    checkRead(endpoint)
    return this.#peek(endpoint, args)
  }

  #peek(endpoint: EndpointInterface, given: readonly unknown[]): Peek {
    const args = readOnce(given)
    const make = (key: string, back: Back<Peek>) => new Peek(this.#desk, endpoint, args, key, back)
    return this.#renewed(this.#peeks, endpoint, args, make)
  }

  selectionOf(schema: Schema, given: readonly unknown[]): Observer<unknown> {
    if (given[0] === null) return NOTHING
    checkSchema(schema)
    const args = readOnce(given)
    const key = stableKey(args)
    const known = this.#selections.get(key, schema)
    return known ?? this.#add(this.#selections, key, (back) => new Selection(this.#desk, schema, args, back))
  }

  observerOf<Shown>(
    kind: ObserverKind<Shown>,
    endpoint: EndpointInterface,
    given: readonly unknown[],
  ): Observer<Shown | undefined> {
    if (given[0] === null) return NOTHING
    const args = readOnce(given)
    const key = keyOf(endpoint, args)
    checkRead(endpoint)
    return kind(this.#desk, endpoint, args, key)
  }

  fetchingOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<boolean> {
    if (args[0] === null) return NEVER
    const key = keyOf(endpoint, args)
    const known = this.#fetching.get(key, undefined)
    return known ?? this.#add(this.#fetching, key, (back) => new Fetching(this.#desk, key, back))
  }

  #renewed<Item extends LiveQuery | Peek>(
    shelf: Shelf<Item>,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    make: (key: string, back: Back<Item>) => Item,
  ): Item {
    const key = keyOf(endpoint, args)
    const known = shelf.get(key, endpoint.schema)
    // Asked only of one that was not seen before: what a method means for it takes as long as the key.
    if (shelf === this.#queries && known?.view.endpoint !== endpoint) checkRead(endpoint)
    known?.renew(endpoint, args)
    return known ?? this.#add(shelf, key, (back) => make(key, back))
  }

  #add<Item extends Shelved>(shelf: Shelf<Item>, key: string, make: (back: Back<Item>) => Item): Item {
    const add = (item: Item): void => {
      shelf.add(key, item)
      // Should nobody use it, nobody would tell that it is of no more use.
      this.#desk.release()
    }
    const item = make(add)
    add(item)
    return item
  }

  /** A key as it is now, for one look. */
  look(endpoint: EndpointInterface, args: readonly unknown[]): KeyView {
    const key = keyOf(endpoint, args)
    const known = this.#queries.get(key, endpoint.schema) ?? this.#peeks.get(key, endpoint.schema)
    return (known ?? this.#peek(endpoint, args)).view
  }

  /** What freshness says of a key right now. */
  judge(endpoint: EndpointInterface, args: readonly unknown[]): { readonly data: unknown; readonly verdict: Verdict } {
    checkEndpoint(endpoint)
    checkRead(endpoint)
    const at = this.look(endpoint, args)
    return { data: at.data(), verdict: freshness(at.facts(false), this.#desk.clock.now()) }
  }

  /** What could not be built because of this error is tried again. */
  retry(error: unknown): void {
    for (const shelf of [this.#queries, this.#peeks]) {
      for (const [, { view }] of shelf) {
        if (view.view.error !== error) continue
        view.retry()
        this.#desk.store.touch(view.entry)
      }
    }
  }

  // — what is needed —

  needs(key: string): boolean {
    return this.#queries.has(key) || this.#peeks.has(key)
  }

  isUnderWay(key: string): boolean {
    return this.#desk.network.isUnderWay(key)
  }

  dropUnused(since: number): boolean {
    const shelves = [this.#queries, this.#peeks, this.#selections, this.#fetching]
    // Each is asked, whatever the others say.
    return shelves.map((shelf) => shelf.dropUnused(since)).includes(true)
  }

  *roots(): Generator<Kept, void> {
    for (const shelf of [this.#queries, this.#peeks]) for (const [, item] of shelf) yield item.view.root()
    for (const [, selection] of this.#selections) yield selection.root()
  }
}
