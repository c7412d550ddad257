import type { Transport } from '@roundtable/core'
import { memoryLog, type OfflineLog, type OfflineOptions, type TabMessage } from '@roundtable/core/offline'
import { HandClock } from '../engine/clock.js'
import { openApp, rest, TaskResource, TaskServer } from './todo-server.js'

const { getList } = TaskResource

const NEVER = new Promise<never>(() => {})

/** A tab of a device: its log has the connection to the others. */
export interface DeviceTab {
  readonly log: OfflineLog
  /** Ends with the tab: a request that it has sent reaches the server, and its answer nobody. */
  transport(transport: Transport): Transport
  /** From now on nothing that it does has an effect, its lock is free, and nothing reaches it. */
  crash(): void
  /** Nothing reaches it until `wake`, neither messages nor what the log answers. */
  freeze(): void
  /** What has reached it while it was frozen arrives; `isLate` tells it only to look, as after the back button. */
  wake(isLate?: boolean): void
}

interface Member {
  readonly tab: Tab
  readonly hear: (message: TabMessage) => void
}

/** One log, and the tabs that share it, in one process: nothing happens by chance, so a test can stop at any point. */
export class Device {
  readonly members = new Set<Member>()
  /** Those who run or wait for the lock, in order. */
  readonly turns: { readonly tab: Tab; readonly work: () => Promise<void> }[] = []
  readonly memory: OfflineLog
  /** False for browsers without Web Locks. */
  readonly hasLocks: boolean

  constructor({ memory = memoryLog(), hasLocks = true } = {}) {
    this.memory = memory
    this.hasLocks = hasLocks
  }

  open(): DeviceTab {
    return new Tab(this)
  }

  /** Whoever is first in the row runs. */
  next(): void {
    const [turn] = this.turns
    if (turn === undefined) return
    const done = (): void => {
      if (this.turns[0] !== turn) return
      this.turns.shift()
      this.next()
    }
    queueMicrotask(() => {
      if (this.turns[0] === turn) turn.tab.runs(() => void turn.work().then(done, done))
    })
  }
}

class Tab implements DeviceTab {
  readonly #device: Device
  readonly log: OfflineLog
  #isOver = false
  /** What waits for `wake`. */
  #frozen: (() => void)[] | undefined

  constructor(device: Device) {
    this.#device = device
    const { memory } = device
    this.log = {
      append: (...args) => this.#does(() => memory.append(...args)),
      read: (...args) => this.#does(() => memory.read(...args)),
      rewrite: (...args) => this.#does(() => memory.rewrite(...args)),
      clear: () => this.#does(() => memory.clear()),
      tabs: {
        join: (hear) => {
          const member: Member = { tab: this, hear }
          device.members.add(member)
          return {
            tell: (message) => {
              if (this.#isOver) return
              for (const other of device.members)
                if (other.tab !== this) queueMicrotask(() => other.tab.runs(() => other.hear(message)))
            },
            leave: () => void device.members.delete(member),
          }
        },
        ...(device.hasLocks && {
          alone: (work: () => Promise<void>) => {
            if (this.#isOver) return
            device.turns.push({ tab: this, work })
            if (device.turns.length === 1) device.next()
          },
        }),
      },
    }
  }

  /** Runs something in this tab: when it wakes, if it is frozen; never, if it is over. */
  runs(work: () => void): void {
    if (this.#isOver) return
    if (this.#frozen === undefined) work()
    else this.#frozen.push(work)
  }

  #arrives<Result>(promise: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      promise.then(
        (result) => this.runs(() => resolve(result)),
        (error: Error) => this.runs(() => reject(error)),
      )
    })
  }

  #does<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#isOver ? NEVER : this.#arrives(work())
  }

  transport(transport: Transport): Transport {
    return (...args) => this.#does(() => transport(...args))
  }

  crash(): void {
    this.#isOver = true
    const { members, turns } = this.#device
    for (const member of members) if (member.tab === this) members.delete(member)
    const isHolder = turns[0]?.tab === this
    const left = turns.filter(({ tab }) => tab !== this)
    turns.splice(0, turns.length, ...left)
    if (isHolder) this.#device.next()
  }

  freeze(): void {
    this.#frozen ??= []
  }

  wake(isLate = false): void {
    const waiting = this.#frozen ?? []
    this.#frozen = undefined
    for (const work of waiting) work()
    if (isLate) for (const { tab, hear } of this.#device.members) if (tab === this) hear(['log'])
  }
}

/** A server with two tasks, and a device of which tabs are opened. */
export function begin(
  options: ConstructorParameters<typeof Device>[0] & { readonly outbox?: OfflineOptions['outbox'] } = {},
) {
  const server = new TaskServer()
  server.add('a')
  server.add('b')
  const device = new Device(options)
  const clock = new HandClock()
  const open = async () => {
    const tab = device.open()
    const { outbox } = options
    const offlineOptions = outbox === undefined ? {} : { outbox }
    const transport = tab.transport(server.transport)
    const app = await openApp(tab.log, server, { env: clock, transport, offlineOptions })
    const list = app.controller.watch(getList)
    const titles = () => list.getSnapshot().data?.map(({ title }) => title)
    return { ...app, tab, list, titles }
  }
  /** Some time, in which records are written and read. */
  const pass = async (time = 100) => {
    await rest()
    await clock.advance(time)
    await rest()
  }
  return { server, device, clock, open, pass }
}
