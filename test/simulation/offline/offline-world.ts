import { Controller, type Transport } from '@roundtable/core'
import { type OfflineStore, type OutboxEntry, offline, outbox } from '@roundtable/core/offline'
import { contentsOf } from '../../../core/src/offline/reader.js'
import { decode, encode } from '../../../core/src/offline/record.js'
import { mergeSteps, stepsOf } from '../../../core/src/offline/steps.js'
import { StorageError } from '../../../core/src/offline/storage-error.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { Random } from '../random.js'
import { isKnown, must, Wrong } from '../wrong.js'
import { Connection, Device, Disk, Page, settle } from './device.js'
import { type Answered, type Asked, type Done, KeyedServer, type StoredTask } from './keyed-server.js'
import type { OfflineCommand, OfflineFault, OfflineProgram } from './offline-program.js'
import { baseOf, checkShown, shownBy } from './shown.js'
import { type App, appOf, OUTSIDE } from './task-app.js'

/** So many tasks are on the server from the beginning. */
const FIRST_TASKS = 4

/** A value that is so long makes a log be summarized soon. */
const BULK = 'x'.repeat(3_000)

/** Steps that concern no page, or one that need not be awake. */
const OF_DEVICE: readonly OfflineCommand['do'][] = [
  ...(['edit elsewhere', 'create elsewhere', 'delete elsewhere', 'apply', 'deliver', 'advance', 'set clock'] as const),
  ...(['go offline', 'come back', 'crash in', 'close', 'open', 'freeze', 'wake', 'damage', 'summarize'] as const),
  ...(['disk is slow', 'disk is quick', 'disk is full', 'disk has room', 'disk works'] as const),
]

const CONNECTION_LOST = 'connection reset'

/** A request on its way. */
interface Request {
  readonly tab: Tab
  readonly asked: Asked
  /** What the server has answered, once it has got to it. */
  answer: Answered | undefined
  resolve(response: Response): void
  reject(error: Error): void
  isOver: boolean
}

/** A mutation that somebody has made. */
interface Made {
  readonly id: string
  readonly page: Page
  /** Its place among all that were stored, since its log was last deleted; 0 before it is. */
  order: number
  /** The version of the row that its user has seen, if it is sent with that. */
  seen: number | undefined
  /** It has the URL of all creations, not that of its row. */
  readonly isCreation: boolean
  /** True once it was on the disk. */
  isStored: boolean
  /** True if it need not be applied in the end: it was given up, or what stored it was damaged. */
  isExcused: boolean
  /** How often it was sent without an answer, or with status 500, since it was made or sent again by its user. */
  attempts: number
  /** The page that has sent it for the first time: if that ends, the attempt may not be counted. */
  firstPage: Page | undefined
  /** True if its answer has not told the key of the row that it has created. */
  isSilent: boolean
  /** True if it may be applied after those that were made later. */
  isLater: boolean
  /** The id of the creation whose row it named by a placeholder. */
  readonly of: string | undefined
  readonly madeAt: number
  /** The moment at which a disk first had it; Infinity before. */
  storedAt: number
  /** The moment at which it was first sent; 0 before. */
  sentAt: number
  /** The moment at which a page was last told its answer; Infinity before. */
  toldAt: number
  /** The version of that page: those of another one do not read what it stores. */
  toldTo: number | undefined
  /**
   * True if the server has got to it after it was refused, since a request of an earlier page was still on its way:
   * nobody hears of that.
   */
  isDoneLate: boolean
  /** True if a full disk had no room for that: other pages do not know of it, and may come to another end. */
  isUnknown: boolean
}

/** What one user has: on the server and on the device. */
export interface Account {
  readonly user: number
  readonly server: KeyedServer
  readonly disk: Disk
  readonly connection: Connection
  /** True once its log was deleted: what a page knew then is not stored again. */
  isForgotten: boolean
  /**
   * The mutations that its log has had since it was last deleted: one that was made meanwhile is stored again, after
   * what others have stored since.
   */
  readonly stored: Set<string>
  /** Those that a logout without room has deleted with it until they are stored again: only pages have them. */
  readonly unstored: Set<string>
  /**
   * How many pages are deleting its log, or have ended before that was done: then the others have forgotten what the
   * log has.
   */
  forgetting: number
  /**
   * What came with `no-store`: rows by their ids, and lists by their names. The log lacks them, or has them as they
   * were at some time.
   */
  readonly secretRows: Set<number>
  readonly secretLists: Set<string>
  /**
   * True once pages of two versions were open together: each leaves out the rows of the other when it summarizes the
   * log.
   */
  isMixed: boolean
  /**
   * True once one of several pages may have read a record that is damaged by now: they know of other mutations than the
   * others.
   */
  isTorn: boolean
}

interface Caller {
  readonly what: string
  readonly abort: AbortController
}

/** A page with the application. */
export interface Tab {
  readonly page: Page
  readonly account: Account
  readonly version: number
  readonly app: App
  readonly store: OfflineStore
  readonly controller: Controller
  readonly reported: Error[]
  readonly callers: Caller[]
  readonly watched: (() => void)[]
  readonly hasKeptLists: boolean
}

/** A device with one page after another, and a server that others change too. */
export class OfflineWorld {
  readonly program: OfflineProgram
  readonly device: Device
  readonly accounts: readonly Account[]
  readonly open: Request[] = []
  readonly made = new Map<string, Made>()
  readonly wrongs: Error[] = []
  readonly warnings: string[] = []
  /** The placeholders of rows that were created. */
  readonly #placeholders: string[] = []
  #lastValue = 0
  #lastSecret = 0
  #lastOrder = 0
  /** Counts what is made, stored and sent, and what pages are told. */
  #moment = 0
  isDamaged = false
  wasFull = false
  /**
   * True if the server has got to a mutation of no outbox later than its page has given it up: nobody hears when. Also if it
   * has created a row without the page hearing of it, in a list that the page does not have: it cannot tell the others that
   * theirs is out of date.
   */
  hasUnheard = false
  /** The rows that a mutation of no outbox has moved or not: its answer was lost. Lists ask, and show it until then. */
  readonly mayHaveMoved = new Set<string>()
  tabs: Tab[] = []
  #last: { user: number; version: number } = { user: 0, version: 0 }

  constructor(program: OfflineProgram) {
    this.program = program
    this.device = new Device(new Random(program.traits.luck))
    this.accounts = [0, 1].map((user) => ({
      user,
      isForgotten: false,
      stored: new Set<string>(),
      unstored: new Set<string>(),
      forgetting: 0,
      secretRows: new Set<number>(),
      secretLists: new Set<string>(),
      isMixed: false,
      isTorn: false,
      server: new KeyedServer(FIRST_TASKS),
      connection: new Connection(program.traits.hasLocks),
      disk: new Disk(
        (entry) => this.#noteWritten(user, entry.text),
        (entry) => {
          for (const id of idsIn(entry.text)) this.#excuse(id)
        },
        () => this.#noteDeleted(user),
      ),
    }))
  }

  async run(command: OfflineCommand): Promise<void> {
    const tab = this.tabs.length === 0 ? await this.openTab() : pickOf(this.tabs, command.tab)
    if (tab !== undefined) await this.#do('id' in command ? { ...command, id: idFor(tab, command.id) } : command, tab)
    await this.check()
  }

  /** After each step. */
  async check(): Promise<void> {
    // The first reader of a list from the log sees what waits a moment later.
    // Another page may have stored one meanwhile.
    for (let round = 0; round < 2; round++) {
      for (const one of this.tabs) shownBy(one)
      await settle()
    }
    const [wrong] = this.wrongs
    if (wrong !== undefined) throw wrong
    for (const { server } of this.accounts) this.#checkDone(server)
    for (const tab of this.tabs) {
      this.#checkReported(tab)
      // What was refused may be sent again after others, or may have been on its way all the time.
      for (const { id } of refusedOf(tab)) this.#noteLater(id)
      // What a full disk has refused is in the log after others that were sent after it, where pages do not wait for
      // each other.
      const isOutOfOrder = this.wasFull && !this.#isOrdered
      if (!tab.page.isAsleep && !tab.account.isTorn && !isOutOfOrder) checkShown(tab, this.#createdLater(tab))
    }
  }

  /**
   * The rows of creations that were sent again after they had been refused, though done, if a page that knows the row from
   * a list has changed it before, and its change waits.
   */
  #createdLater({ account: { server }, store }: Tab): ReadonlySet<string> {
    const isLater = ({ id, key = '' }: Done): boolean => {
      const made = this.made.get(key)
      if (made === undefined || !made.isCreation || !made.isLater) return false
      const isBefore = (edit: OutboxEntry): boolean =>
        `${(edit.args[0] as { readonly id?: unknown }).id}` === `${id}` &&
        (this.made.get(edit.id)?.madeAt ?? 0) < made.toldAt
      return store.outbox.getSnapshot().some(isBefore)
    }
    return new Set(server.done.filter(isLater).map(({ id }) => `${id}`))
  }

  // — pages —

  async openTab(user: number = this.#last.user, version: number = this.#last.version): Promise<Tab> {
    this.#last = { user, version }
    const account = this.accounts[user] as Account
    const page = new Page(this.device, () => {
      account.disk.abandon(page)
      // What has happened since the disk was full is known to nobody.
      if (account.disk.isFull) for (const id of this.made.keys()) this.#excuse(id)
      for (const id of account.unstored) this.#excuse(id)
      // Only it could have stored again what is deleted with the log.
      for (const made of account.forgetting > 0 ? this.made.values() : []) if (made.page === page) this.#excuse(made.id)
      account.connection.leave(page)
      this.tabs = this.tabs.filter((other) => other.page !== page)
    })
    const { traits } = this.program
    const app = appOf(version, traits)
    const { get: _, getList: __, polled: ___, Task: ____, beside: _____, ...tasks } = app
    const reported: Error[] = []
    const store = offline({
      log: account.disk.logFor(page, traits.tabs > 1 ? account.connection.tabsFor(page) : undefined),
      version: `${version}`,
      outbox: outbox({ tasks }, { maxAttempts: traits.maxAttempts }),
    })
    const controller = new Controller({
      env: page.env,
      transport: (...args) => this.#send(tab, ...args),
      onError: (error) => reported.push(error),
      retention: false,
      managers: [store],
    })
    const tab: Tab = {
      ...{ page, account, version, app, store, controller, reported },
      ...{
        callers: [],
        watched: [],
        hasKeptLists: traits.keptLists,
      },
    }
    account.isMixed ||= this.tabs.some((other) => other.account === account && other.version !== version)
    this.tabs.push(tab)
    await settle()
    return tab
  }

  async #end({ page }: Tab, how: 'closed' | 'crashed'): Promise<void> {
    if (how === 'closed') {
      page.isVisible = false
      page.tell()
      await settle()
    }
    page.end()
  }

  // — steps —

  async #do(command: OfflineCommand, tab: Tab): Promise<void> {
    // Nobody uses a page that is asleep.
    if (tab.page.isAsleep && !OF_DEVICE.includes(command.do)) this.wake(tab)
    const { controller, app, account, page, store } = tab
    const { server, disk } = account
    switch (command.do) {
      case 'fetch':
        this.#wait(tab, `get ${command.id}`, (abort) => controller.fetch(app.get.extend(abort), { id: command.id }))
        break
      case 'fetch list':
        this.#wait(tab, `list ${command.list}`, (abort) =>
          controller.fetch(app.getList.extend(abort), { list: command.list }),
        )
        break
      case 'watch':
        tab.watched.push(controller.watch(app.get, { id: command.id }).subscribe(() => {}))
        break
      case 'watch list':
        tab.watched.push(controller.watch(app.getList, { list: command.list }).subscribe(() => {}))
        break
      case 'poll list': {
        tab.watched.push(controller.watch(app.polled, { list: command.list }).subscribe(() => {}))
        break
      }
      case 'unwatch':
        pickOf(tab.watched, command.pick)?.()
        break
      case 'create': {
        const body = { title: this.#value(), note: '', list: command.list }
        const id = this.#mutate(tab, `create ${body.title.slice(0, 8)}`, () =>
          controller.fetch(app.create, body as never),
        )
        if (id !== undefined) this.#placeholders.push(`optimistic:${id}`)
        break
      }
      case 'edit':
        this.#edit(tab, command.id, command.field)
        break
      case 'edit new': {
        const id = pickOf(this.#placeholders, command.pick)
        if (id !== undefined) this.#edit(tab, id, 'title')
        break
      }
      case 'put': {
        const body = { title: this.#value(), note: this.#value() }
        this.#mutate(tab, `put ${command.id}`, () => controller.fetch(app.update, { id: command.id }, body))
        break
      }
      case 'move':
        this.#move(tab, command.id, command.list)
        break
      case 'outside':
        await this.#outside(tab, command)
        break
      case 'move new': {
        const id = pickOf(this.#placeholders, command.pick)
        if (id !== undefined) this.#move(tab, id, 'y')
        break
      }
      case 'delete':
        this.#delete(tab, command.id)
        break
      case 'delete new': {
        const id = pickOf(this.#placeholders, command.pick)
        if (id !== undefined) this.#delete(tab, id)
        break
      }
      case 'edit elsewhere':
        server.change(command.id, { [command.field]: this.#value() }, undefined)
        break
      case 'create elsewhere':
        server.create({ title: this.#value(), list: command.list }, undefined)
        break
      case 'delete elsewhere':
        server.remove(command.id, undefined)
        break
      case 'apply': {
        const request = pickOf(this.open, command.pick)
        if (request !== undefined) this.#apply(request)
        break
      }
      case 'deliver':
        this.deliver(pickOf(this.open, command.pick), command.fault)
        break
      case 'abort':
        pickOf(tab.callers, command.pick)?.abort.abort()
        break
      case 'retry':
        this.#retry(tab, pickOf(refusedOf(tab), command.pick))
        break
      case 'discard':
        this.#discard(tab, pickOf(store.outbox.getSnapshot(), command.pick))
        break
      case 'advance':
        await this.device.advance(command.ms)
        break
      case 'set clock':
        this.device.wallOffset += command.by
        break
      case 'go offline':
      case 'come back':
        this.device.goOnline(command.do === 'come back')
        break
      case 'hide':
      case 'show':
        page.isVisible = command.do === 'show'
        page.tell()
        break
      case 'log out':
        controller.resetEntireStore()
        break
      case 'sign in':
        this.#resume(tab)
        break
      case 'flush':
        void store.flush()
        break
      case 'forget':
        // What is being written, or in another page, is given up too.
        for (const made of this.made.values()) made.isExcused = made.isLater = true
        account.isForgotten = true
        account.forgetting += 1
        void store.forget().then(() => {
          account.forgetting -= 1
        })
        break
      case 'expire':
        controller.expireAll(app.get)
        controller.expireAll(app.getList)
        break
      case 'crash in':
        page.pointsLeft = command.points
        page.fate = command.fate
        break
      case 'reload':
        page.fate = command.fate
        await this.#end(tab, command.how)
        await this.openTab(command.user, command.version)
        break
      case 'open':
        if (this.tabs.length < this.program.traits.tabs) await this.openTab(command.user, command.version)
        break
      case 'close':
        page.fate = command.fate
        await this.#end(tab, command.how)
        break
      case 'freeze':
        if (this.program.traits.tabs > 1) page.isAsleep = true
        break
      case 'wake':
        this.wake(tab)
        break
      case 'damage':
        this.#damage(account, command.pick)
        break
      case 'disk is slow':
      case 'disk is quick':
        disk.isSlow = command.do === 'disk is slow'
        if (!disk.isSlow) disk.work()
        break
      case 'disk is full':
      case 'disk has room':
        disk.isFull = command.do === 'disk is full'
        this.wasFull ||= disk.isFull
        break
      case 'disk works':
        for (let i = 0; i < command.count; i++) {
          disk.work(1)
          await settle()
        }
        break
      case 'summarize':
        this.#summarize(tab)
    }
  }

  wake({ page, account: { connection } }: Tab): void {
    if (!page.isAsleep) return
    page.wake()
    connection.wake(page)
  }

  resumeAll(): void {
    for (const tab of this.tabs) this.#resume(tab)
  }

  #resume(tab: Tab): void {
    tab.store.resume()
  }

  /** As a page does whose log has grown. */
  #summarize({ account: { disk }, version }: Tab): void {
    if (disk.isFull) return
    disk.rewrite((records) =>
      encode(
        summarize(
          contentsOf(records, () => {}),
          `${version}`,
          mergeSteps,
        ),
      ),
    )
  }

  #damage(account: Account, pick: number): void {
    const record = account.disk.damage(pick)
    if (record === undefined) return
    this.isDamaged = true
    account.isTorn = this.program.traits.tabs > 1
    // What happened to a mutation is lost, too: it may be sent again, or be as it was before.
    for (const id of idsIn(record.text)) this.#excuse(id)
  }

  /** A log was deleted: by `forget`, or because a logout found no room. */
  #noteDeleted(user: number): void {
    const account = this.accounts[user]
    if (account === undefined) return
    account.isForgotten = true
    for (const id of account.stored) account.unstored.add(id)
    account.stored.clear()
  }

  #excuse(id: string): void {
    const made = this.made.get(id)
    if (made !== undefined) made.isExcused = made.isLater = true
  }

  // — mutations —

  #value(): string {
    const value = `v${++this.#lastValue}`
    return this.program.traits.isBulky ? `${value} ${BULK}` : value
  }

  #edit(tab: Tab, id: number | string, field: 'title' | 'note'): void {
    const value = this.#value()
    this.#mutate(tab, `edit ${id} ${field} ${value.slice(0, 8)}`, () =>
      tab.controller.fetch(tab.app.partialUpdate, { id }, { [field]: value }),
    )
  }

  #move(tab: Tab, id: number | string, list: string): void {
    this.#mutate(tab, `move ${id} to ${list}`, () => tab.controller.fetch(tab.app.move, { id }, { list } as never))
  }

  /** One that is answered at once is made while nothing of the outbox waits: the order of the two would be that of the network. */
  async #outside(tab: Tab, { way, id, list, isSlow }: Extract<OfflineCommand, { do: 'outside' }>): Promise<void> {
    const { controller, app, account } = tab
    const isWaiting = ({ store }: Tab): boolean => store.outbox.getSnapshot().some(({ status }) => status !== 'refused')
    if (!isSlow && this.tabs.some((other) => other.account === account && isWaiting(other))) return
    const before = new Set(this.open)
    this.#wait(tab, `${way} ${id} outside of the outbox`, (abort) => {
      if (way === 'create')
        return controller.fetch(app.beside.create.extend(abort), { title: this.#value(), note: '', list } as never)
      if (way === 'edit')
        return controller.fetch(app.beside.edit.extend(abort), { id }, { title: this.#value() } as never)
      if (way === 'remove') return controller.fetch(app.beside.remove.extend(abort), { id })
      return controller.fetch(app.beside.move.extend(abort), { id }, { list } as never)
    })
    await settle()
    if (isSlow) return
    // After a conflict it reads the row first.
    for (let sent = this.open.filter((one) => !before.has(one)); sent.length > 0; ) {
      for (const request of sent) this.deliver(request, 'none')
      await settle()
      sent = this.open.filter((one) => !before.has(one))
    }
  }

  #delete(tab: Tab, id: number | string): void {
    this.#mutate(tab, `delete ${id}`, () => tab.controller.fetch(tab.app.remove, { id }))
  }

  /** Makes a mutation; returns its id in the outbox. */
  #mutate(tab: Tab, what: string, call: () => Promise<unknown>): string | undefined {
    const { outbox } = tab.store
    const before = new Set(outbox.getSnapshot().map(({ id }) => id))
    this.#wait(tab, what, call)
    const id = outbox.getSnapshot().find((entry) => !before.has(entry.id))?.id
    if (id === undefined) return undefined
    const isCreation = what.startsWith('create')
    this.made.set(id, {
      id,
      page: tab.page,
      order: 0,
      isCreation,
      seen: undefined,
      attempts: 0,
      firstPage: undefined,
      isSilent: false,
      isStored: false,
      isExcused: false,
      isLater: false,
      of: /optimistic:([\w-]+)/.exec(what)?.[1],
      madeAt: ++this.#moment,
      storedAt: Infinity,
      sentAt: 0,
      toldAt: Infinity,
      toldTo: undefined,
      isUnknown: false,
      isDoneLate: false,
    })
    return id
  }

  #wait(tab: Tab, what: string, call: (options: { signal: AbortSignal }) => Promise<unknown>): void {
    const abort = new AbortController()
    const caller: Caller = { what, abort }
    tab.callers.push(caller)
    const over = (error?: unknown): void => {
      tab.callers.splice(tab.callers.indexOf(caller), 1)
      if (error !== undefined && !isKnown(error)) this.wrongs.push(new Wrong(`${what} ended with ${error}`))
    }
    call({ signal: abort.signal }).then(() => over(), over)
  }

  #retry({ store }: Tab, entry: OutboxEntry | undefined): void {
    if (entry === undefined) return
    for (const { id } of refusedOf({ store })) {
      const made = this.made.get(id)
      if (made === undefined) continue
      made.attempts = 0
      // It may have been refused in this very step, by the page that it has opened.
      made.isLater = true
    }
    store.retry(entry.id)
  }

  #noteLater(id: string): void {
    const made = this.made.get(id)
    if (made !== undefined) made.isLater = true
  }

  #discard({ store }: Tab, entry: OutboxEntry | undefined): void {
    if (entry === undefined) return
    const before = store.outbox.getSnapshot()
    store.discard(entry.id)
    const left = new Set(store.outbox.getSnapshot().map(({ id }) => id))
    for (const { id } of before) if (!left.has(id)) this.#excuse(id)
    // What waits ends when its flight has.
    this.#excuse(entry.id)
    for (const { id, args } of before) if (JSON.stringify(args).includes(`optimistic:${entry.id}`)) this.#excuse(id)
  }

  /** Whatever is written to a disk. */
  #noteWritten(user: number, text: string): void {
    if (text.includes('secret-')) this.wrongs.push(new Wrong(`what came with no-store is on the disk: ${text}`))
    for (const [type, , mutation] of stepsOf([decode({ text })])) {
      if (type !== 'add') continue
      const made = this.made.get(mutation.id)
      if (made === undefined) continue
      const stored = this.accounts[user]?.stored
      if (!stored?.has(mutation.id)) made.order = ++this.#lastOrder
      stored?.add(mutation.id)
      this.accounts[user]?.unstored.delete(mutation.id)
      if (!made.isStored) made.storedAt = ++this.#moment
      made.isStored = true
      const [tag] = (mutation.kept ?? []) as readonly string[]
      made.seen ??= tag === undefined ? undefined : Number(tag.split('-')[1]?.replace('"', ''))
    }
  }

  // — the network —

  #send(tab: Tab, ...[input, init]: Parameters<Transport>): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { page } = tab
      if (!page.passes()) return
      if (!this.device.isOnline) {
        reject(new TypeError('no network'))
        return
      }
      const { pathname, searchParams } = new URL(String(input), 'http://server.test')
      const headers = new Headers(init.headers)
      const { method = 'GET', body } = init
      const sent = `${method} ${pathname} ${typeof body === 'string' ? body : ''}`
      if (sent.includes('optimistic')) this.wrongs.push(new Wrong(`a temporary key was sent: ${sent}`))
      const request: Request = {
        tab,
        asked: {
          ...{ method, path: pathname, list: searchParams.get('list'), key: headers.get('idempotency-key') },
          ...{ ifMatch: headers.get('if-match'), ifNoneMatch: headers.get('if-none-match') },
          body: typeof body === 'string' ? JSON.parse(body) : {},
        },
        answer: undefined,
        resolve,
        reject,
        isOver: false,
      }
      const isOutside = headers.has(OUTSIDE)
      if (method !== 'GET' && !isOutside && request.asked.key === null)
        this.wrongs.push(new Wrong(`${sent} was sent without an Idempotency-Key`))
      const isBeside = ({ tab: other, asked, isOver }: Request): boolean =>
        (other === tab || (this.#isOrdered && other.account === tab.account && other.page.isAlive)) &&
        !isOver &&
        asked.key !== null &&
        asked.path === pathname
      if (method !== 'GET' && !isOutside && this.open.some(isBeside))
        this.wrongs.push(new Wrong(`${sent} was sent beside another change of this URL`))
      this.#checkSent(request)
      this.open.push(request)
      init.signal?.addEventListener('abort', () => {
        request.isOver = true
        reject(init.signal?.reason)
      })
      page.passes()
    })
  }

  /** A mutation is sent when it is on the disk, and not more often than it may be. */
  #checkSent({ asked: { key }, tab: { page } }: Request): void {
    const made = key === null ? undefined : this.made.get(key)
    if (made !== undefined) made.sentAt ||= ++this.#moment
    if (made === undefined || this.wasFull || made.isExcused) return
    made.attempts += 1
    made.firstPage ??= page
    if (!made.isStored) this.wrongs.push(new Wrong(`mutation ${key} was sent before it was stored`))
    const { maxAttempts } = this.program.traits
    if (made.attempts > maxAttempts + (made.firstPage.isAlive ? 0 : 1) && this.#isOrdered)
      this.wrongs.push(new Wrong(`mutation ${key} was sent ${made.attempts} times`))
  }

  #apply(request: Request): Answered {
    const { key } = request.asked
    const made = this.made.get(key ?? '')
    if (made !== undefined && request.answer === undefined)
      made.isDoneLate ||= this.tabs.some((tab) => refusedOf(tab).some(({ id }) => id === key))
    request.answer ??= request.tab.account.server.answer(request.asked)
    return request.answer
  }

  /** A request reaches the server or does not, and its answer the page. */
  deliver(request: Request | undefined, fault: OfflineFault): void {
    if (request === undefined) return
    const { tab } = request
    const isHeard = tab.page.isAlive && !request.isOver
    // Nobody waits for it any more, also if it was given up on its way.
    const isUnheard = fault === 'late' || !isHeard
    if (isUnheard && request.asked.method !== 'GET' && request.asked.key === null) this.hasUnheard = true
    if (fault === 'late') {
      // It stays on its way.
      if (isHeard) this.#answer(request, new TypeError(CONNECTION_LOST))
      request.isOver = true
      return
    }
    this.open.splice(this.open.indexOf(request), 1)
    this.#answer(request, this.#outcomeOf(request, fault))
  }

  /** What the page hears. */
  #outcomeOf(request: Request, fault: OfflineFault): Response | Error {
    if (fault === 'lost') return new TypeError(CONNECTION_LOST)
    const { method, key } = request.asked
    // What has acted does not refuse any more, also if an earlier page has asked for that.
    const isRefusal = fault === 404 || fault === 409 || fault === 413
    const hasActed = request.answer !== undefined || (isRefusal && request.tab.account.server.hasAnswered(key))
    if (typeof fault === 'number' && !hasActed) {
      if (fault === 404 && method === 'DELETE' && key !== null) request.tab.account.server.missed.add(key)
      const headers = fault === 429 || fault === 503 ? { 'retry-after': '5' } : {}
      return new Response(null, { status: fault, headers })
    }
    const answer = this.#apply(request)
    const { asked, tab } = request
    // The page does not know whether a mutation of no outbox was done.
    if (asked.key === null && (fault === 'lost answer' || fault === 'cut')) {
      if (asked.method === 'POST' && !baseOf(tab).lists.has(`${asked.body.list}`)) this.hasUnheard = true
      if (asked.method === 'PATCH' && 'list' in asked.body) this.mayHaveMoved.add(asked.path.split('/')[2] as string)
    }
    return fault === 'lost answer' ? new TypeError(CONNECTION_LOST) : this.#responseOf(answer, fault, request)
  }

  #answer({ tab, isOver, ...request }: Request, answer: Response | Error): void {
    if (isOver || !tab.page.passes()) return
    const made = this.made.get(request.asked.key ?? '')
    if (made !== undefined) {
      made.toldAt = ++this.#moment
      made.toldTo = tab.version
      made.isUnknown ||= tab.account.disk.isFull && this.program.traits.tabs > 1
    }
    const isCounted = answer instanceof Response && answer.status === 500
    if (made !== undefined && !isCounted) made.attempts -= 1
    if (
      made !== undefined &&
      answer instanceof Response &&
      answer.ok &&
      answer.headers.get('content-type') !== 'application/json'
    )
      made.isSilent = true
    tab.page.arrive(() => (answer instanceof Error ? request.reject(answer) : request.resolve(answer)))
  }

  #responseOf(
    { status, body, tag }: Answered,
    fault: OfflineFault,
    { tab: { account }, asked: { method, list } }: Request,
  ): Response {
    const headers: Record<string, string> = tag === undefined ? {} : { etag: tag }
    if (body === undefined) return new Response(null, { status, headers })
    if (fault === 'empty' && method !== 'GET') return new Response('', { status: 200 })
    if (fault === 'cut') {
      const cut = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })
      return new Response(cut, { status, headers: { ...headers, 'content-type': 'application/json' } })
    }
    const isSecret = fault === 'no-store'
    if (isSecret && list !== null) account.secretLists.add(list)
    const told = (task: StoredTask): object => {
      if (!isSecret) return task
      account.secretRows.add(task.id)
      return { ...task, secret: `secret-${++this.#lastSecret}` }
    }
    // The server answers with nothing else.
    const shown = Array.isArray(body) ? body.map(told) : told(body as StoredTask)
    return Response.json(shown, { status, headers: isSecret ? { ...headers, 'cache-control': 'no-store' } : headers })
  }

  // — what must hold —

  readonly #checked = new Map<KeyedServer, number>()

  /** What has been done since was made once, in the order in which it was made, and overwrites nobody else's. */
  #checkDone(server: KeyedServer): void {
    const { done } = server
    for (let at = this.#checked.get(server) ?? 0; at < done.length; at++) {
      const one = done[at] as (typeof done)[number]
      const made = one.key === undefined ? undefined : this.made.get(one.key)
      if (made === undefined) continue
      const what = (): string => `${one.key} ${JSON.stringify(one).slice(0, 200)}`
      for (const other of done.slice(0, at)) {
        if (other.id !== one.id || other.key === undefined) continue
        must(other.key !== one.key, () => `done twice: ${what()}`)
        const before = this.made.get(other.key)
        if (before === undefined || before.isLater || made.isLater || before.isCreation) continue
        // It counted as done already, by a 404, while an earlier attempt was still on its way.
        if (server.missed.has(one.key ?? '')) continue
        // Nobody knew yet that both are of one row.
        if (made.of !== undefined && before.sentAt < (this.made.get(made.of)?.toldAt ?? Infinity)) continue
        if (before.order === 0 || made.order === 0 || !this.#isOrdered) continue
        // While a disk is full, pages do not know of what is made at once in others, and it is sent all the same.
        if (this.wasFull && this.program.traits.tabs > 1 && before.madeAt < made.storedAt) continue
        // One that was stored again after the log was deleted may keep its earlier place or have the later one.
        const isEarlier = before.order < made.order || before.storedAt < made.storedAt
        must(isEarlier, () => `done after what was made later: ${what()}`)
      }
      this.#checkOverwritten(one, made, done.slice(0, at))
    }
    this.#checked.set(server, done.length)
  }

  /** Pages that cannot wait for each other send as they come. */
  get #isOrdered(): boolean {
    return this.program.traits.tabs === 1 || this.program.traits.hasLocks
  }

  #checkOverwritten(one: KeyedServer['done'][number], { seen }: Made, before: KeyedServer['done']): void {
    if (this.program.traits.careful !== 'asks' || seen === undefined) return
    for (const [at, other] of before.entries()) {
      if (other.id !== one.id || other.key !== undefined || other.version <= seen) continue
      // An edit from before the row was read may have overwritten it already.
      const isLast = (field: string): boolean =>
        !before.slice(at + 1).some(({ id, fields }) => id === one.id && Object.hasOwn(fields, field))
      const seenValue = (field: string): unknown =>
        before.findLast(({ id, fields, version }) => id === one.id && version <= seen && Object.hasOwn(fields, field))
          ?.fields[field]
      // Who has changed it to the same value, or to the one that was seen, has lost nothing.
      const [lost] = Object.entries(one.fields).flatMap(([field, value]) =>
        Object.hasOwn(other.fields, field) && ![value, seenValue(field)].includes(other.fields[field]) && isLast(field)
          ? field
          : [],
      )
      must(lost === undefined, () => `${lost} of somebody else was overwritten without a word: ${JSON.stringify(one)}`)
    }
  }

  /** Of each kind of failure there is one report, and only of what has happened. */
  #checkReported({ reported }: Tab): void {
    const messages = reported.map(({ message }) => message)
    must(new Set(messages).size === messages.length, () => `reported twice: ${messages}`)
    for (const error of reported) {
      const { reason = '' } = error as Partial<StorageError>
      const isExpected =
        error instanceof StorageError &&
        ((/could not be/.test(reason) && this.wasFull) || (/damaged/.test(reason) && this.mayBeDamaged))
      must(isExpected, () => `reported: ${error.name}: ${error.message}`)
    }
  }

  /** True if a disk may have a record that cannot be read. */
  get mayBeDamaged(): boolean {
    return this.isDamaged || this.program.commands.some((command) => 'fate' in command && command.fate === 'torn')
  }
}

/** The ids of the mutations that a record tells of. */
function idsIn(text: string): readonly string[] {
  try {
    return stepsOf([decode({ text })]).map(([, id]) => id)
  } catch {
    return []
  }
}

function refusedOf({ store }: Pick<Tab, 'store'>): readonly OutboxEntry[] {
  return store.outbox.getSnapshot().filter(({ status }) => status === 'refused')
}

/** A task that a page may name: it knows it, or it is there from the beginning. */
function idFor({ controller, app }: Tab, id: number): number {
  return id <= FIRST_TASKS || controller.get(app.Task, { id }) !== undefined ? id : (id % FIRST_TASKS) + 1
}

function pickOf<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)]
}
