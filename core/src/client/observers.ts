import type { EndpointInterface } from '../endpoint/options.js'
import type { Holders } from '../engine/retention.js'
import { freshness, type Verdict } from '../freshness.js'
import type { Schema } from '../schema/schema.js'
import type { Kept } from '../table/refs.js'
import { stableKey } from '../tools/stable-key.js'
import type { Desk } from './desk.js'
import { Fetching } from './fetching.js'
import { checkEndpoint, checkRead, checkSchema } from './given.js'
import { keyOf } from './key-of.js'
import type { KeyView } from './key-view.js'
import type { Observer } from './observer.js'
import { Peek } from './peek.js'
import { PollObserver } from './poll-observer.js'
import { IDLE_QUERY, LiveQuery } from './query.js'
import { Selection } from './selection.js'
import { Shelf } from './shelf.js'

const NOTHING: Observer<undefined> = Object.freeze({ getSnapshot: () => undefined, subscribe: () => () => {} })
const NEVER: Observer<boolean> = Object.freeze({ getSnapshot: () => false, subscribe: () => () => {} })

/** All observers of a controller: the same question has the same one, and retention asks them what is needed. */
export class Observers implements Holders {
  readonly #desk: Desk
  readonly #queries = new Shelf<LiveQuery>()
  readonly #peeks = new Shelf<Peek>()
  readonly #selections = new Shelf<Selection>()
  readonly #fetching = new Map<string, Fetching>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Those who stand on the table. */
  all(): (LiveQuery | Peek | Selection)[] {
    return [...this.#queries, ...this.#peeks, ...this.#selections].map(([, item]) => item)
  }

  /** A request of a key began or ended. */
  requested(key: string): void {
    this.#fetching.get(key)?.update()
  }

  queryOf(endpoint: EndpointInterface, args: readonly unknown[]): LiveQuery | typeof IDLE_QUERY {
    if (args[0] === null) return IDLE_QUERY
    return this.#shelved(this.#queries, endpoint, args, (key) => new LiveQuery(this.#desk, endpoint, args, key))
  }

  peekOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<unknown> {
    if (args[0] === null) return NOTHING
    checkEndpoint(endpoint)
    checkRead(endpoint)
    return this.#shelved(this.#peeks, endpoint, args, (key) => new Peek(this.#desk, endpoint, args, key))
  }

  selectionOf(schema: Schema, args: readonly unknown[]): Observer<unknown> {
    if (args[0] === null) return NOTHING
    checkSchema(schema)
    const key = stableKey(args)
    const known = this.#selections.get(key, schema)
    if (known !== undefined) return known
    const selection = new Selection(this.#desk, schema, args)
    this.#selections.add(key, selection)
    return selection
  }

  pollOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<undefined> {
    if (args[0] === null) return NOTHING
    const key = keyOf(endpoint, args)
    checkRead(endpoint)
    return new PollObserver(this.#desk, endpoint, args, key)
  }

  fetchingOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<boolean> {
    if (args[0] === null) return NEVER
    const key = keyOf(endpoint, args)
    let fetching = this.#fetching.get(key)
    if (fetching === undefined) {
      fetching = new Fetching(
        this.#desk.report,
        () => this.#desk.network.isUnderWay(key),
        () => this.#fetching.delete(key),
      )
      this.#fetching.set(key, fetching)
    }
    return fetching
  }

  #shelved<Item extends LiveQuery | Peek>(
    shelf: Shelf<Item>,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    make: (key: string) => Item,
  ): Item {
    const key = keyOf(endpoint, args)
    const known = shelf.get(key, endpoint.schema)
    // Asked only of one that was not seen before: what a method means for it takes as long as the key.
    if (shelf === this.#queries && known?.view.endpoint !== endpoint) checkRead(endpoint)
    if (known !== undefined) {
      known.renew(endpoint, args)
      return known
    }
    const item = make(key)
    shelf.add(key, item)
    return item
  }

  /** A key as it is now, for one look. */
  look(endpoint: EndpointInterface, args: readonly unknown[]): KeyView {
    const key = keyOf(endpoint, args)
    const known = this.#queries.get(key, endpoint.schema) ?? this.#peeks.get(key, endpoint.schema)
    return (
      known?.view ?? this.#shelved(this.#peeks, endpoint, args, (of) => new Peek(this.#desk, endpoint, args, of)).view
    )
  }

  /** What freshness says of a key right now. */
  judge(endpoint: EndpointInterface, args: readonly unknown[]): { readonly data: unknown; readonly verdict: Verdict } {
    checkEndpoint(endpoint)
    checkRead(endpoint)
    const at = this.look(endpoint, args)
    return { data: at.data(), verdict: freshness(at.facts(false), this.#desk.env.now()) }
  }

  // — what is needed —

  needs(key: string): boolean {
    return this.#queries.has(key) || this.#peeks.has(key)
  }

  isUnderWay(key: string): boolean {
    return this.#desk.network.isUnderWay(key)
  }

  dropUnused(since: number): boolean {
    let isLeft = false
    for (const shelf of [this.#queries, this.#peeks, this.#selections]) {
      isLeft = dropFrom(shelf, since) || isLeft
    }
    return isLeft
  }

  *roots(): Generator<Kept, void> {
    for (const shelf of [this.#queries, this.#peeks]) for (const [, item] of shelf) yield item.view.root()
    for (const [, selection] of this.#selections) yield selection.root()
  }
}

/** Lets go of observers that are not held and were not used since then; true if some that are not held remain. */
function dropFrom(shelf: Shelf<LiveQuery> | Shelf<Peek> | Shelf<Selection>, since: number): boolean {
  let isLeft = false
  for (const [key, item] of [...shelf]) {
    if (item.isHeld) continue
    if (item.used > since) isLeft = true
    else {
      item.dispose()
      shelf.delete(key, item as never)
    }
  }
  return isLeft
}
