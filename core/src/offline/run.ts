import type { Controller } from '../client/controller.js'
import type { Registry } from '../client/registry.js'
import { guarded } from '../util/thrown.js'
import type { LogRecord, OfflineLog } from './log.js'
import type { OpenOutbox, Waiting } from './open-outbox.js'
import type { OfflineOptions } from './options.js'
import type { OutboxMaker } from './outbox.js'
import { storing } from './part.js'
import { contentsOf, follow, restore } from './reader.js'
import { type Content, encode } from './record.js'
import { StorageError } from './storage-error.js'
import { isAfter, summarize } from './summary.js'
import { type LogTabs, Positions, type TabMessage } from './tabs.js'
import { type News, type Taken, Writer } from './writer.js'

/** The shortest time between two records, in ms. */
const PAUSE = 50

/** The pause after a failure, in ms. */
const PAUSE_AFTER_FAILURE = 10_000

/**
 * Reading and serializing rows takes one part in this many of the time: to hear of them and to collect garbage takes more.
 * So that other tabs do not wait for long, it takes more after a lot at a time, but never over one part in `LARGEST_SHARE`.
 */
const SHARE = 500
const LARGEST_SHARE = 100

/** The longest pause for `SHARE`, in ms. */
const LONG_PAUSE = 2_000

/** A log is summarized when it is this many times as long as its last summary, but at least this long. */
const GROWTH = 3
const SHORT = 16_384

/** The work for one controller. */
export class Run {
  readonly ready: Promise<void>
  readonly #controller: Controller
  readonly #host: Registry
  readonly #log: OfflineLog
  readonly #version: string
  readonly #include: (name: string) => boolean
  readonly #writer: Writer
  /** Undefined for an application that stores no mutations. */
  readonly outbox: OpenOutbox | undefined
  /** News taken before another tab's data was written here: they form a separate record. */
  #taken: Taken[] = []
  readonly #positions = new Positions()
  /** The record of the last reset. */
  #resetAt = 0
  /** True if a reset of this tab is not in the log. */
  #mustReset = false
  /** True while a reset of another tab is applied here. */
  #isFollowing = false
  /** True if the tab that tells of mutations is of the same version. */
  #isTeller = true
  readonly #channel: ReturnType<LogTabs['join']> | undefined
  readonly #reported = new Set<string>()
  readonly #stops: (() => void)[]
  /** In sequence. */
  #tail: Promise<unknown>
  #timer: unknown
  #isScheduled = false
  /** The monotonic ms from which on the next record may be written. */
  #next = 0
  /** The same by `LARGEST_SHARE` alone. */
  #earliest = 0
  #isOver = false
  /** The number of resets: a write planned before a reset must not include later data. */
  #era = 0
  /** The lengths of the last summary and of the log. */
  #summaryLength = 0
  #length = 0

  constructor(controller: Controller, host: Registry, options: OfflineOptions) {
    const { log, version = '', include = () => true, outbox } = options
    const { tabs } = log
    // Data for which it throws is not stored.
    this.#include = (name) => guarded(this.#report, 'include', name, () => include(name)) ?? false
    this.#controller = controller
    this.#host = host
    this.#log = log
    this.#version = version
    this.#writer = new Writer(controller, host, {
      include: this.#include,
      onNews: () => this.#schedule(),
      onOdd: (name) => this.#report(new StorageError(`lacks data of ${name}, which has values that are not JSON`)),
      positions: this.#positions,
    })
    // Every outbox is an `OutboxMaker`.
    this.outbox = (outbox as OutboxMaker | undefined)?.openFor({
      registry: host,
      tabs,
      positions: this.#positions,
      flush: () => this.flush(),
      readOn: () => this.#readOnInTurn(),
      // Rows of another version are not read here.
      onTold: () => this.#isTeller && this.#writer.skip(),
      report: this.#report,
      isSecret: this.#writer.isSecret,
    })
    this.#channel = tabs?.join((message) => this.#hear(message))
    const { network, env } = host.runtime
    const parts = [storing((key) => this.#channel?.tell(['poll', key]), this.#writer)]
    if (this.outbox !== undefined) parts.push(this.outbox.courier.part)
    network.options.parts = [...parts, ...network.options.parts]
    this.#stops = [
      controller.on('reset', () => this.#reset()),
      // A page that is hidden may never be seen again.
      env.onChange(() => {
        if (!env.isVisible()) void this.flush()
        else if (this.#channel !== undefined) void this.#readOnInTurn()
        this.outbox?.courier.pump()
      }),
      () => {
        network.options.parts = network.options.parts.filter((other) => !parts.includes(other))
      },
      // Announces the last record to other tabs.
      () => void this.#tail.then(() => this.#channel?.leave()),
    ]
    this.ready = this.#restore()
    this.#tail = this.ready
  }

  // — what other tabs do —

  #hear([type, key = '']: TabMessage): void {
    if (this.#isOver) return
    if (type === 'log') void this.#readOnInTurn()
    // A record that is being written here may come into the log after the deletion.
    else if (type === 'forget') this.#forgetHere(true)
    else if (type === 'forgotten') void this.#inTurn(() => this.#dropForgotten())
    else this.#host.runtime.sources?.postpone(key)
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    this.#tail = this.#tail.then(work)
    return this.#tail
  }

  #readOnInTurn(): Promise<unknown> {
    return this.#inTurn(() => this.#guard('could not be read', () => this.#readOn()))
  }

  /** Reads the records that other tabs have written since, which may be before `written`. */
  async #readOn(written: readonly Taken[] = []): Promise<void> {
    const records = await this.#log.read(this.#positions.known)
    for (const content of this.#contentsOf(records)) {
      if (this.#isOver) return
      await this.#follow(content)
    }
    this.#writer.noteLater([...written, ...this.#taken])
    // A damaged one is not read again.
    const last = records.at(-1)?.number ?? 0
    if (last > this.#positions.known) this.#note(last)
    if (records.length > 0) this.outbox?.courier.pump()
  }

  #note(record: number, asked?: number): void {
    this.#positions.note(record, this.#now, asked)
  }

  get #now(): number {
    return this.#host.runtime.store.sequence.now
  }

  async #follow(content: Content): Promise<void> {
    const { number = 0, reset = 0, knew, version } = content
    if (!this.#positions.has(number) || knew === undefined) {
      // Earlier responses of this tab keep their place.
      this.#take()
      if (this.#taken.length > 0) this.#schedule()
      if (reset > this.#resetAt && !this.#positions.has(reset)) {
        this.#isFollowing = true
        this.#controller.resetEntireStore()
        this.#isFollowing = false
      }
      this.#resetAt = Math.max(reset, this.#resetAt)
      this.#isTeller = version === this.#version
      await this.outbox?.follow(content)
      // The record of a reset of this tab that is still to be written makes these rows void.
      const isShown = !this.#isOver && this.#isTeller && !this.#mustReset && isAfter(content, this.#resetAt)
      if (isShown) follow(this.#host, content, this.#positions, this.#writer)
      if (this.#isTeller) this.outbox?.noteEnds(content, number)
      this.outbox?.courier.noteTried(this.#now)
    }
    this.#note(number)
  }

  // — what was stored —

  async #restore(): Promise<void> {
    const { table, sequence } = this.#host.runtime.store
    // Like a request in flight, it may not include what is answered meanwhile.
    sequence.begin(0)
    await this.#guard('could not be read', async () => {
      const asked = this.#now
      const records = await this.#log.read(0)
      for (const { text } of records) this.#grew(text)
      const contents = this.#contentsOf(records)
      if (this.#isOver) return
      for (const content of contents) {
        this.#resetAt = Math.max(content.reset ?? 0, this.#resetAt)
        if (content.version === this.#version) this.outbox?.noteEnds(content, content.number ?? 0)
      }
      // After a logout it must not be shown.
      const isCurrent = this.#host.runtime.store.table === table
      if (isCurrent) restore(this.#host, contents, this.#version, this.#report)
      this.#note(records.at(-1)?.number ?? 0, asked)
      this.#positions.restored = this.#positions.known
      this.outbox?.restore(contents, isCurrent)
      // Mutations of others that are not known here were made after those that were restored.
      this.#note(this.#positions.known, asked)
    })
    sequence.end(0)
    if (this.#isOver) return
    // Nothing that was restored has to be followed.
    this.#writer.listen()
    this.#schedule()
  }

  // — what is stored —

  #schedule(): void {
    if (this.#isScheduled || this.#isOver) return
    this.#isScheduled = true
    const { env } = this.#host.runtime
    const pause = Math.max(PAUSE, this.#next - env.mono())
    // The process may end first: only durable records keep it alive.
    this.#timer = env.setTimeout(() => void this.flush(), pause, true)
  }

  flush(): Promise<unknown> {
    this.#host.runtime.env.clearTimeout(this.#timer)
    this.#isScheduled = true
    const era = this.#era
    return this.#inTurn(async () => {
      this.#isScheduled = false
      if (era === this.#era) await this.#append()
    })
  }

  /** Takes the new data of this tab. */
  #take(): void {
    const started = this.#host.runtime.env.mono()
    const news = this.#writer.take()
    if (!news) return
    this.#taken.push({ news, stood: this.#now, knew: this.#positions.known, own: this.#positions.own })
    this.#pay(started)
  }

  async #append(): Promise<void> {
    const isReset = await this.#writeReset()
    const all = this.outbox?.waiting ?? []
    this.#take()
    const taken = this.#taken.splice(0)
    const isWritten = isReset && (taken.length + all.length === 0 || (await this.#appendTogether(taken, all)))
    if (!isWritten) {
      this.#writer.renew()
      this.#next = this.#host.runtime.env.mono() + PAUSE_AFTER_FAILURE
      const isOne = !isReset || taken.length + all.length === 1
      await this.outbox?.refused(all, isOne, (some) => this.#appendTogether([], some))
      this.#schedule()
    } else if (this.#length > Math.max(SHORT, GROWTH * this.#summaryLength)) await this.#summarize()
  }

  /** Appends a record for each news, the last one with the steps; true if they were written. */
  async #appendTogether(taken: readonly Taken[], waiting: readonly Waiting[]): Promise<boolean> {
    const { known } = this.#positions
    const parts = taken.length > 0 ? taken : [{ news: undefined, stood: this.#now, knew: known, own: [] }]
    let record = 0
    let isBehind = false
    const isWritten = await this.#guard('could not be written', async () => {
      for (const [i, { news, stood, knew, own }] of parts.entries()) {
        const isLast = i === parts.length - 1
        const started = this.#host.runtime.env.mono()
        // Its own records are known to a tab before they are written.
        const content = {
          ...this.#contentOf(news),
          ...(knew < known && { knew }),
          own: [...own, ...this.#positions.own],
          steps: isLast ? waiting.flatMap(({ stored }) => stored) : [],
        }
        const entry = encode(content)
        this.#pay(started)
        record = await this.#log.append(entry, isLast && waiting.some((each) => each.isDurable))
        this.#grew(entry.text)
        this.#positions.wrote(record, stood)
        this.outbox?.noteEnds(content, record)
        isBehind ||= record > this.#positions.known + 1
        if (!isBehind) this.#note(record)
      }
    })
    if (isWritten) this.outbox?.noteWritten(waiting, record)
    if (record > 0) this.#channel?.tell(['log'])
    if (isBehind) await this.#guard('could not be read', () => this.#readOn(taken))
    return isWritten
  }

  /** Delays the next write so that storing keeps to its share of the time. */
  #pay(started: number): void {
    const now = this.#host.runtime.env.mono()
    const paid = now - started
    this.#earliest = Math.max(this.#earliest, now) + LARGEST_SHARE * paid
    const due = Math.max(this.#next, now) + SHARE * paid
    // The pause after a failure may be longer.
    this.#next = Math.max(this.#next, this.#earliest, Math.min(due, now + LONG_PAUSE))
  }

  /** The log has one more record. A summary would be about as long as the longest one. */
  #grew({ length }: string): void {
    this.#length += length
    this.#summaryLength = Math.max(this.#summaryLength, length)
  }

  #contentsOf(records: readonly LogRecord[], report: (error: StorageError) => void = this.#report): readonly Content[] {
    return contentsOf(records, report, this.#include)
  }

  #contentOf(news: News | undefined): Content {
    return { ...news, version: this.#version, at: this.#host.runtime.env.now(), knew: this.#positions.known }
  }

  /** Makes one record of all; `last` comes after them. */
  #summarize(last: readonly Content[] = []): Promise<boolean> {
    return this.#guard('could not be summarized', () =>
      this.#log.rewrite((records) => {
        const started = this.#host.runtime.env.mono()
        let isLater = false
        const contents = this.#contentsOf(records, (error) => {
          isLater ||= /version/.test(error.reason)
        })
        // A later version of this library in another tab may write records that this one cannot read.
        if (isLater) return undefined
        const entry = encode(summarize([...contents, ...last], this.#version, this.outbox?.merge))
        this.#pay(started)
        this.#length = this.#summaryLength = entry.text.length
        return entry
      }),
    )
  }

  /** All stored data is another user's, or is not to be shown any more. */
  #reset(): void {
    this.#writer.renew()
    this.#taken = []
    this.outbox?.dropAnswers()
    if (this.#isFollowing) return
    this.#era += 1
    this.#mustReset = true
    void this.#inTurn(() => this.#writeReset())
    // Mutations that were to be stored are stored all the same.
    void this.flush()
  }

  /** Writes that all was emptied; true if the log has it. */
  async #writeReset(): Promise<boolean> {
    if (!this.#mustReset) return true
    const content: Content = { ...this.#contentOf(undefined), reset: 0 }
    await this.#appendReset(content)
    if (!this.#mustReset) await this.#summarize()
    // Without its rows, the log may have space for it; otherwise the log is deleted, which needs no space.
    else if ((await this.#summarize([content])) || (await this.#empty())) await this.#appendReset(content)
    return !this.#mustReset
  }

  /** Other tabs find it in the log, and are emptied, too. */
  async #appendReset(content: Content): Promise<void> {
    // There may be another one while this one is written.
    this.#mustReset = false
    const isWritten = await this.#guard('could not be written', async () => {
      const record = await this.#log.append(encode(content), true)
      this.#resetAt = record
      this.#positions.wrote(record, this.#now)
      await this.#readOn()
      this.#channel?.tell(['log'])
      // It was received afterwards, although others wrote first.
      this.#taken = this.#taken.map((one) => ({ ...one, knew: Math.max(one.knew, record) }))
    })
    this.#mustReset ||= !isWritten
  }

  /** Deletes the log except for its mutations, which are written again when there is space. */
  #empty(): Promise<boolean> {
    return this.#guard('could not be deleted', async () => {
      const contents = this.#contentsOf(await this.#log.read(0))
      await this.#log.clear()
      this.outbox?.putBack(contents)
      this.#length = this.#summaryLength = 0
    })
  }

  forget(): Promise<unknown> {
    this.#forgetHere()
    this.#channel?.tell(['forget'])
    return this.#inTurn(async () => {
      await this.#guard('could not be deleted', () => this.#log.clear())
      this.#length = this.#summaryLength = 0
      this.#channel?.tell(['forgotten'])
      await this.#dropForgotten()
    })
  }

  /** Another tab's deletion may come before what is being stored here: the log is told that it is over. */
  #forgetHere(isTold = false): void {
    this.#era += 1
    this.outbox?.forget(isTold)
    // Data that is in the log already is not stored again.
    this.#writer.renew()
    this.#writer.take()
    this.#taken = []
  }

  /** Records that were read before the deletion are dropped, too. */
  #dropForgotten(): Promise<unknown> {
    return this.#guard('could not be read', async () => {
      this.outbox?.dropLost(this.#contentsOf(await this.#log.read(0)))
    })
  }

  stop(): void {
    void this.flush()
    this.#isOver = true
    this.#writer.stop()
    this.outbox?.courier.stop()
    for (const stop of this.#stops) stop()
  }

  /** Runs a function that may fail; true if it did not. */
  async #guard(reason: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (cause) {
      this.#report(new StorageError(reason, { cause }))
      return false
    }
  }

  /** Each kind of failure is reported once. */
  readonly #report = (error: Error): void => {
    const { message } = error
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#host.runtime.report(error)
  }
}
