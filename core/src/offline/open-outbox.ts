import { Courier } from './courier.js'
import type { CourierHost } from './courier-host.js'
import { registerCourier } from './couriers.js'
import { Flights } from './flights.js'
import type { Item } from './items.js'
import { mutationsOf, type Step } from './mutation.js'
import { namesOf } from './names.js'
import { type Content, endsIn, type StoredStep } from './record.js'
import { encodeStep, mergedSteps, mergeSteps, stepsOf, withoutAnswer } from './steps.js'
import { StorageError } from './storage-error.js'
import { drop, followSteps } from './told.js'

/** The members that an outbox needs of the run that reads and writes the log. */
export interface OutboxHost extends Omit<CourierHost, 'maxAttempts' | 'endpointOf' | 'flights' | 'nameOf' | 'write'> {
  /** Writes the steps that wait. */
  flush(): Promise<unknown>
}

/** Steps that wait to be written in one record. */
export interface Waiting {
  readonly steps: readonly Step[]
  stored: readonly StoredStep[]
  readonly isDurable: boolean
  /** Called with the number of their record; 0 if the storage refused them. */
  settle(record: number): void
}

/** The outbox of one controller, as its run sees it: the mutations, and their steps that no record has yet. */
export class OpenOutbox {
  readonly courier: Courier
  /** The steps that no record has yet, in order: those that a full disk refuses are in the next record that it takes. */
  waiting: readonly Waiting[] = []
  readonly #flights = new Flights()
  readonly #host: OutboxHost

  constructor(host: OutboxHost, endpoints: Readonly<Record<string, object>>, maxAttempts: number) {
    this.#host = host
    host.positions.flights = this.#flights
    this.courier = new Courier({
      ...host,
      flights: this.#flights,
      ...namesOf(endpoints),
      maxAttempts,
      write: this.write,
    })
    registerCourier(host.registry, this.courier)
  }

  // — what is to be written —

  /**
   * Writes steps in the record of the rows that are new by then. Returns its number; 0 if the storage refused them, which
   * wait for a later one.
   */
  readonly write = (steps: readonly Step[], isDurable: boolean): Promise<number> => {
    if (steps.length === 0) return Promise.resolve(0)
    try {
      const stored = steps.map(encodeStep)
      const written = new Promise<number>((settle) => {
        this.waiting = [...this.waiting, { steps, stored, isDurable, settle }]
      })
      this.courier.items.noteStored(steps, Infinity)
      this.#flights.noteEnds(endsIn(stored), Infinity)
      void this.#host.flush()
      return written
    } catch (cause) {
      this.#host.report(new StorageError('lacks a mutation', { cause }))
      return Promise.resolve(0)
    }
  }

  /** A record has steps that waited. */
  noteWritten(waiting: readonly Waiting[], record: number): void {
    for (const { steps } of waiting) this.courier.items.noteStored(steps, record)
    this.#remove(waiting, record)
  }

  /**
   * The log has refused a record with these steps. If the disk is not full, each is written by itself, so that one bad record
   * does not block the others. A mutation that cannot be written leaves: later, it would come after those that were made
   * after it. No caller waits for the rest any more; only the ends of finished mutations stay.
   */
  async refused(
    all: readonly Waiting[],
    isOne: boolean,
    write: (some: readonly Waiting[]) => Promise<boolean>,
  ): Promise<void> {
    for (const each of isOne || !(await write([])) ? [] : all)
      if (!(await write([each])) && each.steps.some(([type]) => type === 'add')) this.#remove([each], 0)
    for (const { settle } of all) settle(0)
    this.#dropEnded(this.waiting.flatMap(({ stored }) => endsIn(stored)))
  }

  /** The store was reset: no response from before that is stored. */
  dropAnswers(): void {
    for (const each of this.waiting) each.stored = each.steps.map(withoutAnswer).map(encodeStep)
  }

  /** The log was deleted after a reset: its mutations are written again, before those that were not in it. */
  putBack(contents: readonly Content[]): void {
    const settle = (): void => {}
    const back = mergedSteps(stepsOf(contents).map(withoutAnswer)).map(
      (step): Waiting => ({ steps: [step], stored: [encodeStep(step)], isDurable: true, settle }),
    )
    this.waiting = [...back, ...this.waiting]
  }

  /** Returns the steps of a summary. */
  readonly merge: typeof mergeSteps = mergeSteps

  /** They are over: in this record, or in none. */
  #remove(some: readonly Waiting[], record: number): void {
    this.waiting = this.waiting.filter((each) => !some.includes(each))
    for (const { settle } of some) settle(record)
  }

  /** These mutations are over: only their ends may still be written. */
  #dropEnded(ended: readonly string[]): void {
    const isOver = ([type, id]: Step): boolean => type !== 'end' && ended.includes(id)
    this.#remove(
      this.waiting.filter(({ steps }) => steps.every(isOver)),
      0,
    )
  }

  // — what the log has —

  /** Takes over the mutations of the log; unless `shows`, they are sent only after `resume`. */
  restore(contents: readonly Content[], shows: boolean): void {
    const { courier } = this
    const { known } = this.#host.positions
    for (const mutation of mutationsOf(stepsOf(contents), courier.items.realKeys).values())
      courier.admit(mutation, known, shows)
    courier.items.noteTried(0, false)
    courier.items.changed()
  }

  /** Applies the steps of a record of another tab, or of a summary. Resolves when their responses are written here. */
  async follow(content: Content): Promise<void> {
    this.#dropEnded(endsIn(content.steps))
    await followSteps(this.courier, content, this.#flights)
  }

  /** Notes the mutations that a record ends. */
  noteEnds({ steps }: Content, record: number): void {
    this.#flights.noteEnds(endsIn(steps), record)
  }

  /** Drops all mutations; with `isTold`, the log gets the ends of those that are being stored. */
  forget(isTold: boolean): void {
    const { courier } = this
    const { all } = courier.items
    // Records that were written before the deletion still have them.
    this.#flights.noteEnds(all.map(idOf), Infinity)
    courier.isPaused = false
    drop(courier, all)
    this.#remove(this.waiting, 0)
    const unstored = all.filter(({ number }) => number === Infinity)
    if (isTold)
      void this.write(
        unstored.map((item): Step => ['end', idOf(item), [], 0]),
        false,
      )
  }

  /** Drops the mutations that a log has lost, except for those that this tab has made since. */
  dropLost(contents: readonly Content[]): void {
    const left = mutationsOf(stepsOf(contents))
    const isLost = (item: Item): boolean => 0 < item.number && item.number < Infinity && !left.has(idOf(item))
    const lost = this.courier.items.all.filter(isLost)
    const others = lost.filter(({ isMade }) => !isMade)
    drop(this.courier, others)
    // A request that waits for one of their steps goes on, and ends.
    this.#dropEnded(others.map(idOf))
    const own = lost.filter(({ isMade }) => isMade)
    void this.write(
      own.map(({ mutation }): Step => ['add', mutation.id, mutation]),
      true,
    )
  }
}

function idOf({ mutation }: Item): string {
  return mutation.id
}
