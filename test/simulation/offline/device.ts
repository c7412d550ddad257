import type { Env } from '@roundtable/core'
import type { LogEntry, LogRecord, LogTabs, OfflineLog, TabMessage } from '@roundtable/core/offline'
import { settle as settleShort } from '../clock.js'
import type { Random } from '../random.js'
import type { Fate } from './offline-program.js'

/** Lets everything that waits for nothing but promises go on: what is stored before it is sent waits for many. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await settleShort()
}

const NEVER = new Promise<never>(() => {})

interface Timer {
  readonly page: Page
  readonly at: number
  readonly run: () => void
}

/** A device: its clocks, its network, and the dice that it throws. Its pages share them. */
export class Device {
  /** How far the wall clock is ahead of the monotonic one, in ms. */
  wallOffset = 1_000_000_000
  mono = 0
  isOnline = true
  readonly random: Random
  readonly pages: Page[] = []
  readonly #timers = new Map<number, Timer>()
  #lastTimer = 0

  constructor(random: Random) {
    this.random = random
  }

  setTimer(page: Page, run: () => void, ms: number): number {
    this.#lastTimer += 1
    if (ms !== Infinity) this.#timers.set(this.#lastTimer, { page, at: this.mono + ms, run })
    return this.#lastTimer
  }

  clearTimer(timer: unknown): void {
    // It is the number that `setTimer` returned.
    this.#timers.delete(timer as number)
  }

  goOnline(isOnline: boolean): void {
    this.isOnline = isOnline
    for (const page of this.pages) page.tell()
  }

  /** Time passes, timer by timer; those of pages that are asleep wait until they wake. */
  async advance(ms: number): Promise<void> {
    const end = this.mono + ms
    await settle()
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      const [id, { at, run }] = next
      this.#timers.delete(id)
      this.mono = Math.max(this.mono, at)
      run()
      await settle()
    }
    this.mono = end
  }

  #next(end: number): readonly [number, Timer] | undefined {
    let first: readonly [number, Timer] | undefined
    for (const entry of this.#timers) {
      const [id, { page, at }] = entry
      if (!page.isAlive) this.#timers.delete(id)
      else if (!page.isAsleep && at <= end && (first === undefined || at < first[1].at)) first = entry
    }
    return first
  }
}

/** A page of a device, which may end at any moment: nothing that it does from then on has an effect. */
export class Page {
  readonly #device: Device
  isAlive = true
  isVisible = true
  /** True while the browser runs nothing of it. */
  isAsleep = false
  /** It ends after so many points. */
  pointsLeft = Infinity
  /** What becomes then of what it was writing. */
  fate: Fate = 'lost'
  readonly #listeners = new Set<() => void>()
  /** What has arrived while it was asleep. */
  readonly #arrived: (() => void)[] = []
  readonly onEnd: () => void
  readonly env: Env

  constructor(device: Device, onEnd: () => void) {
    this.#device = device
    this.onEnd = onEnd
    device.pages.push(this)
    this.env = {
      now: () => device.mono + device.wallOffset,
      mono: () => device.mono,
      random: () => device.random.next(),
      isOnline: () => device.isOnline,
      isVisible: () => this.isVisible,
      setTimeout: (run, ms) => device.setTimer(this, run, ms),
      clearTimeout: (timer) => device.clearTimer(timer),
      afterRender: (run) => queueMicrotask(run),
      onChange: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
    }
  }

  /** The network or its visibility may have changed. */
  tell(): void {
    if (this.isAlive) {
      this.arrive(() => {
        for (const listener of [...this.#listeners]) listener()
      })
    }
  }

  /** Something comes from outside of it. */
  arrive(run: () => void): void {
    if (!this.isAlive) return
    if (this.isAsleep) this.#arrived.push(run)
    else run()
  }

  wake(): void {
    this.isAsleep = false
    for (const run of this.#arrived.splice(0)) this.arrive(run)
  }

  /** A moment at which it may end: false if it has. */
  passes(): boolean {
    if (this.isAlive && --this.pointsLeft < 0) this.end()
    return this.isAlive
  }

  end(): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.#device.pages.splice(this.#device.pages.indexOf(this), 1)
    this.onEnd()
  }
}

/** How the pages with one log reach each other. */
export class Connection {
  readonly #hasLocks: boolean
  readonly #members: { readonly page: Page; readonly hear: (message: TabMessage) => void }[] = []
  /** Those who run or wait for the lock, in order. */
  readonly #turns: { readonly page: Page; readonly work: () => Promise<void> }[] = []

  constructor(hasLocks: boolean) {
    this.#hasLocks = hasLocks
  }

  tabsFor(page: Page): LogTabs {
    return {
      join: (hear) => {
        const member = { page, hear }
        this.#members.push(member)
        return {
          tell: (message) => {
            if (!page.isAlive) return
            for (const other of this.#members)
              if (other !== member) queueMicrotask(() => other.page.arrive(() => other.hear(message)))
          },
          leave: () => void this.#members.splice(this.#members.indexOf(member), 1),
        }
      },
      ...(this.#hasLocks && {
        alone: (work: () => Promise<void>) => {
          if (!page.isAlive) return
          this.#turns.push({ page, work })
          if (this.#turns.length === 1) this.#next()
        },
      }),
    }
  }

  /** Whoever is first in the row runs. */
  #next(): void {
    const [turn] = this.#turns
    if (turn === undefined) return
    const over = (): void => {
      if (this.#turns[0] !== turn) return
      this.#turns.shift()
      this.#next()
    }
    queueMicrotask(() => turn.page.arrive(() => void turn.work().then(over, over)))
  }

  /** A page that has slept looks at what has come. */
  wake(page: Page): void {
    for (const member of this.#members) if (member.page === page) page.arrive(() => member.hear(['log']))
  }

  /** A page has ended. */
  leave(page: Page): void {
    const isFirst = this.#turns[0]?.page === page
    for (const list of [this.#members, this.#turns])
      for (let i = list.length - 1; i >= 0; i--) if (list[i]?.page === page) list.splice(i, 1)
    if (isFirst) this.#next()
  }
}

/** Something that a page asks of a disk. */
interface Job {
  readonly page: Page
  /** What is left if the page ends first. */
  readonly entry?: LogEntry | undefined
  run(): unknown
  settle(result: unknown): void
  fail(error: Error): void
}

/** A disk with the log of one user: what pages ask of it is done in the order in which they have asked. */
export class Disk {
  records: LogRecord[] = []
  #last = 0
  #jobs: Job[] = []
  /** Things are done only when `work` says so. */
  isSlow = false
  isFull = false
  /** Hears of everything that was ever written whole. */
  readonly onWritten: (entry: LogEntry) => void

  /** Hears of what was written in part. */
  readonly onTorn: (entry: LogEntry) => void

  /** Hears that it was emptied. */
  readonly onDeleted: () => void

  constructor(onWritten: (entry: LogEntry) => void, onTorn: (entry: LogEntry) => void, onDeleted: () => void) {
    this.onWritten = onWritten
    this.onTorn = onTorn
    this.onDeleted = onDeleted
  }

  /** Does so many of the things that wait. */
  work(count = Infinity): void {
    for (let done = 0; done < count && this.#jobs.length > 0; done++) {
      const job = this.#jobs[0] as Job
      // If it ends here, what it has asked for is no longer among them.
      if (!job.page.passes()) continue
      this.#jobs.shift()
      try {
        const result = job.run()
        if (job.page.passes()) job.page.arrive(() => job.settle(result))
      } catch (error) {
        job.page.arrive(() => job.fail(error as Error))
      }
    }
  }

  /** A page has ended: what it was writing is there, in part, or not at all. */
  abandon(page: Page): void {
    const own = this.#jobs.filter((job) => job.page === page)
    this.#jobs = this.#jobs.filter((job) => job.page !== page)
    for (const job of own) {
      const { entry } = job
      if (entry === undefined || page.fate === 'lost' || this.isFull) continue
      if (page.fate === 'whole') job.run()
      else {
        this.onTorn(entry)
        this.#add({ ...entry, text: entry.text.slice(0, entry.text.length / 2) })
        return
      }
    }
  }

  /** A record can no longer be read. Returns what it was. */
  damage(pick: number): LogRecord | undefined {
    if (this.records.length === 0) return undefined
    const at = pick % this.records.length
    const record = this.records[at] as LogRecord
    this.records = this.records.with(at, { ...record, text: record.text.slice(0, record.text.length / 2) })
    return record
  }

  #add(entry: LogEntry): number {
    this.#last += 1
    this.records = [...this.records, { ...entry, number: this.#last }]
    return this.#last
  }

  #write(entry: LogEntry): number {
    this.#checkRoom()
    this.onWritten(entry)
    return this.#add(entry)
  }

  #checkRoom(): void {
    if (this.isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }

  rewrite(merge: (records: readonly LogRecord[]) => LogEntry | undefined): void {
    const merged = merge(this.records)
    if (merged === undefined) return
    this.#checkRoom()
    this.onWritten(merged)
    this.records = [{ ...merged, number: this.#last }]
  }

  /** The log as a page has it. */
  logFor(page: Page, tabs: LogTabs | undefined): OfflineLog {
    const ask = <Result>(run: () => Result, entry?: LogEntry): Promise<Result> => {
      if (!page.isAlive) return NEVER
      return new Promise<Result>((settle, fail) => {
        // `run` returns what `settle` takes.
        this.#jobs.push({ page, entry, run, settle: settle as Job['settle'], fail })
        // Not in the stack of who asks.
        if (!this.isSlow) queueMicrotask(() => !this.isSlow && this.work())
      })
    }
    return {
      tabs,
      append: (entry) => ask(() => this.#write(entry), entry),
      read: (after) => ask(() => this.records.filter(({ number }) => number > after)),
      rewrite: (merge) => ask(() => this.rewrite(merge)),
      clear: () =>
        ask(() => {
          this.records = []
          this.onDeleted()
        }),
    }
  }
}
