import { Controller, type Env, ExpiryStatus } from '@roundtable/core'
import { type Dehydrated, dehydrate, dehydrateParts, hydrate, requestMark } from '@roundtable/core/hydration'
import { rowsOfState } from '../rows-of-state.js'
import { argsOf, Item } from './domain.js'
import { same, text } from './same.js'
import type { World } from './world.js'
import { must, Wrong } from './wrong.js'

/** After how many steps of a program a part of its state is streamed. */
const STEPS = 8

/** Two browsers to which a program's states are sent, as long as its store is not reset. */
export class Browsers {
  /** Is sent what has changed since the last time, as a page that is streamed. */
  readonly #streaming: Controller
  readonly #nextPart: () => Dehydrated | undefined
  /** Navigates: a state is requested after what it had changed, or before. */
  readonly #navigating: Controller
  #steps = 0

  constructor(world: World) {
    this.#streaming = browserOf(world)
    this.#navigating = browserOf(world)
    this.#nextPart = dehydrateParts(world.controller)
  }

  /** After each step. */
  step(): void {
    if (++this.#steps % STEPS === 0) this.#stream()
  }

  #stream(): void {
    const part = this.#nextPart()
    if (part) hydrate(this.#streaming, sent(part))
  }

  /**
   * Dehydrates what there is, and hydrates it: into the same controller, where it is older than everything and changes
   * nothing, whatever is in flight or pending; into an empty one, which then shows and judges what the first does
   * without its layers; and into these two, which then show it too.
   */
  visit(world: World): void {
    if (world.isDisposed) return
    const state = sent(dehydrate(world.controller))
    changesNothing(world, state)
    this.#stream()
    const hasLayers = world.server.open.some(({ call }) => call.type === 'edit')
    const empty = browserOf(world)
    hydrate(empty, state)
    if (!hasLayers) {
      compare(world, empty, 'hydrated')
      compareAges(world, empty, state)
      // As below.
      if (!world.collects) compare(world, this.#streaming, 'streamed')
    }
    empty.dispose()
    // Of a row that was collected here and came back, a browser may know more.
    const browser = world.collects ? browserOf(world) : this.#navigating
    // Items whose field it has: what a state does not tell, stays.
    const ids = rowsOfState(state)
      .filter(({ kind, fields }) => kind === Item.key && fields?.includes('a'))
      .map(({ pk }) => pk)
    // What was changed before a state is requested is replaced.
    for (const id of ids) browser.set(Item, { id }, { id, a: -1 })
    hydrate(browser, sent(state), { since: requestMark(browser) })
    if (!hasLayers) compare(world, browser, 'after a navigation')
    // What is changed meanwhile stays.
    const since = requestMark(browser)
    for (const id of ids) browser.set(Item, { id }, { id, a: -2 })
    hydrate(browser, sent(state), { since })
    for (const id of ids) must(browser.get(Item, { id })?.a === -2, () => `${id} lost what was changed meanwhile`)
  }
}

function browserOf({ clock }: World): Controller {
  const onError = (error: Error): void => {
    throw new Wrong(`a state cannot be hydrated: ${error.message}, ${String(error.cause)}`)
  }
  // The clock's own timers are those of the program.
  const env: Env = { ...clock, setTimeout: () => undefined, clearTimeout: () => {} }
  return new Controller({ env, retention: false, onError })
}

function sent(state: Dehydrated): Dehydrated {
  return JSON.parse(JSON.stringify(state))
}

function changesNothing(world: World, state: Dehydrated): void {
  const { controller, mounts } = world
  const before = mounts.map(({ told, query }) => [told, query.getSnapshot()] as const)
  const late = mounts.filter((mount) => isLate(world, mount))
  hydrate(controller, state)
  mounts.forEach((mount, i) => {
    const { target, told, query } = mount
    const [was, shown] = before[i] ?? []
    const isSame = told === was && query.getSnapshot() === shown
    must(isSame || late.includes(mount), () => `${text(target)} changed by its own state`)
  })
}

/**
 * True for a query that waits for its own answer, though its rows have come with other answers since they were
 * invalidated. Rows that are as they were wake nobody, so it is first shown when something is judged again: such as by
 * a state that is hydrated, if a row is marked.
 */
function isLate({ controller, endpoints }: World, { target, query }: World['mounts'][number]): boolean {
  const { data, expiryStatus } = controller.getResponse(endpoints.of(target.read), ...argsOf(target))
  const { status } = query.getSnapshot()
  return status === 'pending' && data !== undefined && expiryStatus !== ExpiryStatus.Invalid
}

/** A browser shows what is shown here. */
function compare(world: World, browser: Controller, how: string): void {
  for (const { target, here, there } of responses(world, browser)) {
    // Two Collections with one key: hydrated lists follow the rules of the one that is used first.
    if (target.read === 'page' && world.program.traits.keeps === true) continue
    // What was invalidated or collected is not sent, and a browser keeps what it was sent before.
    if (here.data === undefined && how !== 'hydrated') continue
    must(same(here.data, there.data), () => `${text(target)} is ${text(here.data)}, and ${how} ${text(there.data)}`)
  }
}

/** What an empty browser was sent is as fresh as here. */
function compareAges(world: World, browser: Controller, { results }: Dehydrated): void {
  const now = world.clock.now()
  const isFresh = ({ expiresAt }: { readonly expiresAt: number }): boolean => now < expiresAt
  for (const { target, here, there } of responses(world, browser)) {
    // While requests overlap, what a mutation has written may be stale here for the read that it overtook.
    const isOvertaken = world.server.open.length > 0 && !isFresh(here)
    // What is assembled from rows has no response that would carry a mark of its endpoint.
    const key = (world.endpoints.of(target.read).key as (...args: readonly unknown[]) => string)(...argsOf(target))
    // What is stale at once seems fresh in that very moment, if the clock is set back in it.
    const isOfNow = world.program.traits.dataExpiryLength === 0
    const isMarked = here.expiresAt === 0 && !results.some(([sent]) => sent === key)
    must(
      isOvertaken || isOfNow || isMarked || isFresh(here) === isFresh(there),
      () => `${text(target)} expires in ${here.expiresAt - now} ms, hydrated in ${there.expiresAt - now}`,
    )
    // Beside data of a mutation that was in flight together with the read that failed: a state has one order of both.
    const isBesideData = here.data !== undefined
    must(
      isBesideData || !here.error === !there.error,
      () => `${text(target)} has ${text(here.error)}, and hydrated ${text(there.error)}`,
    )
  }
}

/** What is known of each mounted key, here and in a browser. */
function* responses({ controller, endpoints, mounts }: World, browser: Controller) {
  for (const { target } of mounts) {
    const endpoint = endpoints.of(target.read)
    const here = controller.getResponse(endpoint, ...argsOf(target))
    // A key's own mark stays here: elsewhere it is as if it was never fetched.
    if (here.expiryStatus === ExpiryStatus.Invalid) continue
    yield { target, here, there: browser.getResponse(endpoint, ...argsOf(target)) }
  }
}
