import {
  CallbackError,
  Controller,
  failure,
  type KeyTest,
  type LiveQuery,
  LogoutManager,
  mutating,
  poll,
  type QuerySnapshot,
  reading,
  revalidate,
  select,
} from '@roundtable/core'
import { atomOf } from '@roundtable/core/nanostores'
import { Clock, settle } from './clock.js'
import { Comebacks } from './comebacks.js'
import { Deletions } from './deletions.js'
import {
  argsOf,
  Board,
  type Edit,
  EVERY_ITEM,
  EVERY_NOTE,
  EVERY_ROW,
  GROUPS,
  Item,
  type Lists,
  madeUp,
  Note,
  SELECTIONS,
  SOME_ITEMS,
  StatusError,
  type Target,
} from './domain.js'
import { argsFor, type Endpoints, endpointsOf, listsFor } from './endpoints.js'
import { Following, sizeOf } from './follow.js'
import { Browsers } from './hydration.js'
import { Ledger } from './ledger.js'
import { Model } from './model/model.js'
import { Mount } from './mount.js'
import { OneObject } from './one-object.js'
import type { Command, Program } from './program.js'
import { compareReaders } from './readers.js'
import { same, text } from './same.js'
import { type Fault, type Request, Server } from './server.js'
import { Watch } from './watch.js'
import { Wire } from './wire.js'
import { isKnown, must, Wrong } from './wrong.js'

/** A caller that waits for a promise. */
interface Waiting {
  readonly what: string
  isSettled: boolean
  readonly abort: AbortController
}

/** A controller, the server that it talks to, and those who use it. */
export class World {
  readonly program: Program
  readonly clock: Clock
  readonly server: Server
  readonly controller: Controller
  readonly endpoints: Endpoints
  readonly ledger: Ledger
  /** The reads whose last response was an error. */
  readonly failedReads = new Set<string>()
  readonly model: Model
  readonly #wire: Wire
  readonly mounts: Mount[] = []
  readonly left: Mount[] = []
  readonly polls: (() => void)[] = []
  readonly watches: Watch[] = []
  readonly followings: Following[] = []
  /** Those whose listeners throw. */
  readonly bad: (() => void)[] = []
  /** The reads that they follow, which nothing else has to show. */
  readonly followedBadly = new Set<string>()
  readonly lists: Lists
  readonly waiting: Waiting[] = []
  isDisposed = false
  /** The model's version that everything was last compared with. */
  #compared = 0
  /** Failed reads leave on the screen what is there. */
  readonly isSoft: boolean
  /** What is stale is not shown. */
  readonly hidesStale: boolean
  /** Callers may change their minds. */
  readonly #mayAbort: boolean
  /** What nobody uses goes after a while. */
  readonly collects: boolean
  /** Sees to it that whatever shows a row shows the same object. */
  readonly one: OneObject
  /** What becomes of the readers of what is deleted. */
  readonly deletions: Deletions = new Deletions(this)
  /** Where its states are sent. */
  browsers: Browsers
  /** What becomes of those who come back. */
  readonly comebacks: Comebacks
  /** What was found wrong where it could not be thrown. */
  readonly wrongs: Error[] = []

  constructor(program: Program, wallClock = 1_000_000_000_000) {
    this.program = program
    this.clock = new Clock(wallClock)
    this.isSoft = program.traits.isSoft
    this.#mayAbort = program.commands.some((command) => command.do === 'abort')
    this.hidesStale = program.traits.invalidIfStale
    this.collects = program.traits.retention !== false
    this.server = new Server(program.isInOrder)
    this.ledger = new Ledger(this.server)
    this.lists = listsFor(program.traits)
    this.model = new Model({
      now: this.clock.now,
      mono: this.clock.mono,
      isSoft: (cause) => {
        // Where only the library asks, every failure is soft.
        return this.polls.length > 0 || cause?.type === 'contested' ? undefined : this.isSoft
      },
      lists: this.lists,
      keeps: program.traits.keeps === true,
      dropsErrors: program.traits.revalidates === true,
    })
    this.#wire = new Wire(this.server, this.model, this.#note)
    this.controller = new Controller({
      env: this.clock,
      retention: program.traits.retention === false ? false : { after: program.traits.retention },
      managers: [
        ...(program.traits.logsOut === true ? [new LogoutManager({ handleLogout: () => this.#reset() })] : []),
        ...(program.traits.revalidates === true ? [revalidate()] : []),
      ],
      onError: (error) => {
        if (this.bad.length > 0 && error instanceof CallbackError && error.cause === BAD) return
        this.wrongs.push(new Wrong(`reported: ${error.name}: ${error.message}`))
      },
    })
    this.#wire.listenTo(this.controller)
    this.one = new OneObject(this.controller, (id) => {
      const item = this.model.show({ read: 'item', id }) as Item | undefined
      return item?.owner !== undefined
    })
    this.endpoints = endpointsOf(this.#wire.send, this.server.more, program.traits)
    this.browsers = new Browsers(this)
    this.comebacks = new Comebacks(this)
  }

  /** Does one step; `pick` beyond what is there goes round. */
  async run(command: Command): Promise<void> {
    await this.comebacks.during(command, () => this.#step(command))
  }

  async #step(command: Command): Promise<void> {
    this.#wire.beginStep()
    this.deletions.begin(command)
    this.#do(command)
    if (command.do === 'advance') await this.clock.advance(command.ms)
    else await settle()
    // What nobody uses goes at once, or soon.
    const { ticks = 0 } = this.program.traits
    if (ticks > 0) await this.clock.advance(ticks)
  }

  #do(command: Command): void {
    const { controller, server } = this
    switch (command.do) {
      case 'look':
        this.#query(command.target).getSnapshot()
        break
      case 'subscribe':
        this.mounts.push(new Mount(command.target, this.#query(command.target), this.#note))
        break
      case 'unsubscribe':
        this.#leave(pickOf(this.mounts, command.pick))
        break
      case 'load':
        this.#wait(`load ${command.target.read}`, () => this.#query(command.target).load())
        break
      case 'fetch':
        this.#fetch(command.target)
        break
      case 'fetch if stale':
        this.#wait(`fetch ${command.target.read}`, (signal) =>
          controller.fetchIfStale(this.endpoints.of(command.target.read, signal), ...argsOf(command.target)),
        )
        break
      case 'subscribe badly':
        this.followedBadly.add(text(command.target))
        this.bad.push(
          this.#query(command.target).subscribe(() => {
            throw BAD
          }),
        )
        break
      case 'peek':
      case 'select':
      case 'watch fetching':
      case 'watch store':
        this.watch(command.do, command.target)
        break
      case 'watch failure':
        this.#watchFailure(command.target)
        break
      case 'set error':
        this.#setError(command.target)
        break
      case 'watch later items':
        this.#watchLaterItems(command.group, command.ids)
        break
      case 'show in boundary':
        this.comebacks.bound(pickOf(this.mounts, command.pick)?.shown.error)
        break
      case 'follow':
        this.followings.push(new Following(this, command.shows, command.target))
        break
      case 'turn':
        pickOf(this.followings, command.pick)?.turn(command.target)
        break
      case 'watch all':
        this.#watchAll(command.as)
        break
      case 'watch requests':
        this.#watchRequests()
        break
      case 'subscribe marked':
        this.#subscribeMarked(command.target)
        break
      case 'refetch':
        this.#refetch(pickOf(this.mounts, command.pick))
        break
      case 'expire many':
        this.model.expired()
        // More marks than are kept one by one.
        for (let i = 0; i < 150; i++) controller.expireBy(Item, `other ${i}`)
        break
      case 'rename':
        server.rename(command.group)
        break
      case 'stop watching':
        this.#stopWatching(pickOf(this.watches, command.pick))
        break
      case 'drop error':
        this.#dropError(pickOf(this.mounts, command.pick))
        break
      case 'invalidate by':
        this.model.invalidatedBy()
        controller.invalidateBy(Item, command.id)
        break
      case 'expire by':
        this.model.expired()
        controller.expireBy(Item, command.id)
        break
      case 'batch':
        this.#batch(command.commands)
        break
      case 'hide':
        this.clock.show(false)
        break
      case 'show':
        this.clock.show(true)
        break
      case 'edit':
        this.#edit(command.edit, command.isOptimistic)
        break
      case 'elsewhere':
        server.editElsewhere(command.edit)
        break
      case 'set':
      case 'set answer':
        this.#set(command.do, command.target, command.value)
        break
      case 'apply':
        server.apply(pickOf(server.unapplied, command.pick))
        break
      case 'deliver':
        this.deliver(pickOf(server.open, command.pick), command.fault)
        break
      case 'abort':
        pickOf(this.#callers, command.pick)?.abort.abort()
        break
      case 'poll':
        this.#poll(command.target)
        break
      case 'stop polling':
        this.stopPolling(command.pick)
        break
      case 'invalidate':
        this.model.invalidated(command.target)
        controller.invalidate(this.endpoints.of(command.target.read), ...argsOf(command.target))
        break
      case 'expire all':
        this.model.expired()
        controller.expireAll(keysOf(this.endpoints.of(command.read)))
        break
      case 'invalidate all':
        this.model.invalidatedAll(command.read)
        controller.invalidateAll(keysOf(this.endpoints.of(command.read)))
        break
      case 'jump':
        this.clock.wallOffset += command.ms
        break
      case 'reset':
        this.#reset()
        break
      case 'go offline':
        this.clock.goOnline(false)
        break
      case 'come back':
        this.clock.goOnline(true)
        break
      case 'compare readers':
        compareReaders(this)
        break
      case 'hydrate':
        this.browsers.visit(this)
        break
      case 'dispose':
        this.isDisposed = true
        controller.dispose()
    }
  }

  /** After each step. */
  check(): void {
    const [wrong] = this.wrongs
    if (wrong !== undefined) throw wrong
    if (this.isDisposed) return
    this.browsers.step()
    for (const watch of this.watches) watch.check()
    for (const following of this.followings) following.check()
    this.deletions.check()
    for (const mount of this.mounts) {
      mount.check()
      // Where pages meet is checked at the end.
      if (mount.target.read === 'page') continue
      // What was collected, the model still knows.
      if (this.collects) {
        // What is shown on after its deletion is in the table no more.
        if (!mount.isOfDeleted) this.one.check(mount, mount.target, mount.shown.data)
        continue
      }
      this.#compareData(mount)
      // Whether data is stale is the engine's own affair, and so is what follows for what may not be shown then.
      if (!this.hidesStale && !mount.isOfDeleted) this.#compareStatus(mount)
    }
    this.#compared = this.model.version
  }

  /** What is shown, and where. */
  get screens(): readonly unknown[] {
    return this.mounts.map(({ target, shown }) => [target, shown])
  }

  /** Every row and every list that the table holds, as text. */
  table(): readonly string[] {
    const { controller, lists } = this
    const rows = [...(controller.get(EVERY_ITEM) ?? []), ...(controller.get(EVERY_NOTE) ?? [])]
    const held = rows.map((row) => text(Object.entries(row).sort())).sort()
    for (const group of [undefined, ...GROUPS]) {
      const args = group === undefined ? {} : { group }
      for (const read of ['list', 'map', 'feed', 'page'] as const) {
        const list = controller.get(lists[read], args)
        if (list === undefined) continue
        const ids = Object.values(list).map((row) => `${row instanceof Note ? 'Note' : 'Item'} ${row.id}`)
        // The order of a map is its keys' own.
        held.push(`${read} ${group}: ${text(read === 'map' ? ids.sort() : ids)}`)
      }
    }
    return held
  }

  /** Watches without asking for anything. */
  watch(how: 'peek' | 'select' | 'watch fetching' | 'watch store', target: Target): void {
    const { controller, lists } = this
    const endpoint = this.endpoints.of(target.read)
    const args = argsOf(target)
    const name = `${how} ${text(target)}`
    const add = (observer: Watch): void => void this.watches.push(observer)
    const is = (shown: unknown, wanted: unknown): void =>
      must(
        shown === wanted || (isMadeAnew(target) && same(shown, wanted)),
        () => `${name} shows ${text(shown)}, there is ${text(wanted)}`,
      )
    if (how === 'peek') {
      const compare = (shown: unknown): void => {
        if (shown !== undefined) is(shown, controller.getResponse(endpoint, ...args).data)
      }
      add(new Watch(name, controller.peek(endpoint, ...args), compare, this.#note))
    } else if (how === 'watch fetching') {
      const isOpen = (): boolean =>
        this.server.open.some(({ call }) => call.type === 'read' && same(call.target, target))
      const watch = new Watch(name, controller.fetching(endpoint, ...args), (shown) => is(shown, isOpen()), this.#note)
      // It is told of each request: two may overlap.
      watch.mayRepeat = true
      add(watch)
    } else if (how === 'watch store') {
      const query = this.#query(target)
      const $query = atomOf(query)
      const store = { getSnapshot: () => $query.get(), subscribe: (listener: () => void) => $query.listen(listener) }
      const watch = new Watch(name, store, (shown) => is(shown, query.getSnapshot()), this.#note)
      watch.read = readOf(target, query)
      add(watch)
    } else if (target.read !== 'stats' && target.read !== 'scores') {
      const { read } = target
      const schema = { ...lists, item: Item, box: lists.Box, board: Board }[read]
      const compare = (shown: unknown): void => {
        is(shown, controller.get(schema as typeof Item, ...(args as [never])))
        if (this.collects) this.one.check(compare, name, shown)
        if (this.collects || target.read === 'page') return
        const told = this.model.show(target)
        must(same(shown, told), () => `${name} shows ${text(shown)}, the model says ${text(told)}`)
      }
      add(new Watch(name, controller.view(schema as typeof Item, ...(args as [never])), compare, this.#note))
    }
  }

  /**
   * Watches the items of a board, as a component resolves them that has rendered the board; of one that is not known,
   * these.
   */
  #watchLaterItems(group: string, ids: readonly (string | number)[]): void {
    const { controller } = this
    const { items = [...new Set(ids.map(String))] } = controller.get(Board, { id: group }) ?? {}
    const name = `later items ${text(items)}`
    const compare = (shown: unknown): void => {
      const known = items.map((id) => controller.get(Item, { id })).filter((item) => item !== undefined)
      must(same(shown, known), () => `${name} shows ${text(shown)}, there is ${text(known)}`)
      this.one.check(compare, name, shown)
      const told = this.model.itemsOf(items)
      const ids = (shown as readonly Item[]).map(({ id }) => String(id))
      const lost = told.filter(({ id }) => before.has(String(id)) && !ids.includes(String(id)))
      must(lost.length === 0, () => `${name} has lost ${text(lost)}`)
      // Of what was collected before it was watched, layers may show a part.
      const isWhole = (item: Item): boolean => told.some((one) => same(one, item))
      if (!this.server.open.some(({ call }) => call.type === 'edit'))
        before = new Set((shown as readonly Item[]).filter(isWhole).map(({ id }) => String(id)))
      if (this.collects) return
      must(same(shown, told), () => `${name} shows ${text(shown)}, the model says ${text(told)}`)
    }
    let before: ReadonlySet<string> = new Set()
    const { query } = Board.schema.items
    this.watches.push(new Watch(name, controller.view(query, items as string[]), compare, this.#note))
  }

  /** Watches all items or notes that are known, whoever brought them. */
  #watchAll(as: 'All' | 'Query' | 'All notes'): void {
    const { controller } = this
    const schema = as === 'All' ? EVERY_ITEM : as === 'Query' ? SOME_ITEMS : EVERY_NOTE
    const isMeant = ({ id }: Item): boolean => as === 'All' || id !== '..'
    const byId = (items: readonly unknown[]): readonly unknown[] =>
      (items as readonly Item[]).filter(isMeant).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    const compare = (shown: unknown): void => {
      const items = (shown ?? []) as readonly Item[]
      this.one.check(compare, as, items)
      if (this.collects || as === 'All notes') return
      const told = byId(this.model.items())
      must(same(byId(items), told), () => `${as} shows ${text(shown)}, the model says ${text(told)}`)
    }
    this.watches.push(new Watch(as, controller.view(schema as typeof EVERY_ITEM), compare, this.#note))
    if (as === 'All') this.#watchSelections()
  }

  /** Watches selections: each shows what filtering, sorting and counting all rows gives. */
  #watchSelections(): void {
    const { controller } = this
    for (const [name, { schema, slow }] of Object.entries(SELECTIONS)) {
      const compare = (shown: unknown): void => {
        const items = controller.get(EVERY_ROW) as readonly Item[] | undefined
        const told = items && slow(items)
        must(same(shown, told), () => `${name} shows ${text(shown)}, from the beginning it is ${text(told)}`)
      }
      this.watches.push(new Watch(name, controller.view(schema as typeof EVERY_ITEM), compare, this.#note))
    }
  }

  /** Watches the last error of a read. */
  #watchFailure(target: Target): void {
    const { controller, model } = this
    const endpoint = this.endpoints.of(target.read)
    const args = argsOf(target)
    const compare = (shown: unknown): void => {
      const known = controller.getError(endpoint, ...args)
      // A response that leaves rows as they are tells nobody that they are younger than the error.
      const isYounger = known === undefined && controller.getResponse(endpoint, ...args).data !== undefined
      must(
        shown === known || isYounger,
        () => `the error of ${text(target)} is ${text(known)}, and watched ${text(shown)}`,
      )
      // What was collected, the model still knows.
      if (this.collects || target.read === 'page') return
      const told = model.errors(target)
      const isTold = told.includes(shown as Error | undefined)
      must(
        isTold,
        () => `the error of ${text(target)} is ${text(shown)}, the model says ${told.map(text).join(' or ')}`,
      )
    }
    this.watches.push(
      new Watch(`error of ${text(target)}`, controller.observe(failure, endpoint, ...args), compare, this.#note),
    )
  }

  #setError(target: Target): void {
    const error = new StatusError(500)
    this.model.toldError(target, error)
    this.controller.setError(this.endpoints.of(target.read), ...argsOf(target), error)
  }

  /** Watches whether anything is read or changed. */
  #watchRequests(): void {
    const { controller, server } = this
    for (const [type, kind] of [
      ['read', reading],
      ['edit', mutating],
    ] as const) {
      const compare = (shown: unknown): void => {
        const isOpen = server.open.some(({ call }) => call.type === type)
        must(shown === isOpen, () => `${type}: shows ${text(shown)}, there is ${text(isOpen)}`)
      }
      this.watches.push(new Watch(`watch ${type}`, controller.observe(kind), compare, this.#note))
    }
  }

  /** A reader that shows how much there is, beside one that shows it. */
  #subscribeMarked(target: Target): void {
    const plain = this.#query(target)
    this.mounts.push(new Mount(target, plain, this.#note))
    const marked = this.controller.watch(select(this.endpoints.of(target.read), sizeOf as never), ...argsOf(target))
    const compare = (shown: unknown): void => {
      const { status, data } = shown as QuerySnapshot<unknown>
      const of = plain.getSnapshot()
      const isRight = status === of.status && data === (of.data === undefined ? undefined : sizeOf(of.data))
      must(isRight, () => `the size of ${text(target)} is ${text(shown)}, of ${text(of)}`)
    }
    const watch = new Watch(`size of ${text(target)}`, marked, compare, this.#note)
    watch.read = readOf(target, plain)
    this.watches.push(watch)
  }

  /** An error without data makes way for the request that may end it, also if it is over and the reader waits already. */
  #refetch(mount: Mount | undefined): void {
    if (mount === undefined) return
    const { target, shown } = mount
    const error = this.controller.getError(this.endpoints.of(target.read), ...argsOf(target))
    if (error !== undefined && shown.data === undefined) this.model.dropped(error)
    this.#wait(`refetch ${target.read}`, () => mount.query.refetch())
  }

  #stopWatching(watch: Watch | undefined): void {
    if (watch === undefined) return
    this.watches.splice(this.watches.indexOf(watch), 1)
    watch.leave()
  }

  #dropError(mount: Mount | undefined): void {
    const error = mount?.shown.error
    if (error === undefined) return
    this.model.dropped(error)
    this.controller.dropError(error)
  }

  /** However many verbs, everybody is told once at most. */
  #batch(commands: readonly Command[]): void {
    const before = this.mounts.map((mount) => mount.told)
    const readers = [...this.mounts, ...this.watches]
    for (const reader of readers) reader.wasRead = true
    this.controller.notifyOnce(() => {
      for (const command of commands) {
        this.#do(command)
        this.#look()
      }
    })
    for (const reader of readers) reader.wasRead = false
    this.mounts.forEach((mount, i) => {
      must(mount.told - (before[i] ?? 0) <= 1, () => `${text(mount.target)} was told more than once of a batch`)
    })
  }

  /** Reads what components show: that must take no news from them. */
  #look(): void {
    for (const { target } of this.mounts) this.controller.getResponse(this.endpoints.of(target.read), ...argsOf(target))
  }

  #reset(): void {
    this.ledger.clear()
    this.model.reset()
    // A list without members that is made anew is another one.
    for (const watch of this.watches) watch.wasRead = true
    this.controller.resetEntireStore()
    for (const watch of this.watches) watch.wasRead = false
    this.browsers = new Browsers(this)
  }

  deliver(request: Request | undefined, fault: Fault): void {
    if (request === undefined) return
    this.#wire.deliver(request, fault)
    const isAnswered = fault === 'none' || fault === 'twice'
    if (isAnswered) this.ledger.delivered(request)
    const { call } = request
    if (call.type !== 'read') return
    if (isAnswered) this.failedReads.delete(text(call.target))
    else this.failedReads.add(text(call.target))
  }

  stopPolling(pick: number): void {
    const stop = pickOf(this.polls, pick)
    if (stop === undefined) return
    this.polls.splice(this.polls.indexOf(stop), 1)
    stop()
  }

  get #callers(): readonly Waiting[] {
    return this.waiting.filter((caller) => !caller.isSettled)
  }

  #query(target: Target): LiveQuery<unknown> {
    return this.controller.watch(this.endpoints.of(target.read), ...argsOf(target))
  }

  /** An explicit fetch joins no request that is older than the last settled edit. */
  #fetch(target: Target): void {
    const mayJoin = this.#wire.hasYoung(target)
    const { sent } = this.#wire
    this.#wait(`fetch ${target.read}`, (signal) =>
      this.controller.fetch(this.endpoints.of(target.read, signal), ...argsOf(target)),
    )
    must(mayJoin || this.#wire.sent > sent, () => `fetching ${text(target)} joined a request older than an edit`)
  }

  #poll(target: Target): void {
    const polling = this.controller.observe(poll, this.endpoints.of(target.read), ...argsOf(target))
    this.polls.push(polling.subscribe(() => {}))
  }

  #leave(mount: Mount | undefined): void {
    if (mount === undefined) return
    this.mounts.splice(this.mounts.indexOf(mount), 1)
    this.left.push(mount)
    mount.leave()
  }

  #edit(edit: Edit, isOptimistic: boolean): void {
    this.#wait(edit.deed, (signal) =>
      this.controller.fetch(this.endpoints.for(edit, isOptimistic, signal), ...argsFor(edit)),
    )
  }

  #set(kind: 'set' | 'set answer', target: Target, value: number): void {
    this.ledger.touchedHere = true
    if (kind === 'set') {
      if (target.read !== 'item') return
      this.model.set(target.id, { id: target.id, a: value })
      this.controller.set(Item, { id: target.id }, { id: target.id, a: value })
      return
    }
    const answer = madeUp(target, value)
    this.model.told(target, answer)
    this.controller.setResponse(this.endpoints.of(target.read), ...argsOf(target), answer)
  }

  /** Waits for a promise; it must settle, and what it fails with must be known. */
  #wait(what: string, start: (signal: AbortSignal | undefined) => Promise<unknown>): void {
    const waiting: Waiting = { what, isSettled: false, abort: new AbortController() }
    this.waiting.push(waiting)
    start(this.#mayAbort ? waiting.abort.signal : undefined).then(
      () => {
        waiting.isSettled = true
      },
      (error: unknown) => {
        waiting.isSettled = true
        if (!isKnown(error)) this.#note(new Wrong(`${what} failed with ${String(error)}`))
      },
    )
  }

  #compareStatus({ target, shown }: Mount): void {
    const told = this.model.statuses(target)
    must(told.includes(shown.status), () => `${text(target)} is ${text(shown)}, the model says ${told.join(' or ')}`)
  }

  /** What is shown is what the model says. */
  #compareData(mount: Mount): void {
    const { target, shown } = mount
    const { version } = this.model
    if (mount.compared === shown && this.#compared === version) return
    mount.compared = shown
    const { data } = this.controller.snapshot().getResponse(this.endpoints.of(target.read), ...argsOf(target))
    const told = this.model.show(target)
    must(same(data, told), () => `${text(target)} holds ${text(data)}, the model says ${text(told)}`)
    if (mount.isOfDeleted) return
    // A reader goes on showing an equal object, also where the table has replaced it by another and back.
    const isHeld = shown.data === data || (isMadeAnew(target) && same(shown.data, data))
    const isShown = shown.status === 'pending' ? shown.data === undefined : isHeld
    must(
      isShown || (shown.status === 'failed' && shown.data === undefined),
      () => `${text(target)} shows ${text(shown)}, and holds ${text(data)}`,
    )
  }

  readonly #note = (wrong: Error): void => {
    this.wrongs.push(wrong)
  }
}

/** What a query shows, whenever it is looked at. */
function readOf(target: Target, query: LiveQuery<unknown>): Watch['read'] {
  return {
    target,
    get shown() {
      return query.getSnapshot()
    },
  }
}

/** True for a read whose data is of nobody else: what has no row of its own, and what depends on who asks. */
function isMadeAnew({ read }: Target): boolean {
  return read === 'stats' || read === 'board' || read === 'scores'
}

/** What bad listeners throw. */
const BAD = new Error('a listener that throws')

/** An endpoint made of options knows its keys, which its type does not say. */
function keysOf(endpoint: unknown): KeyTest {
  return endpoint as KeyTest
}

function pickOf<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items.length === 0 ? undefined : items[pick % items.length]
}
