import { Courier } from './courier.js'
import type { CourierHost } from './courier-host.js'
import { registerCourier } from './couriers.js'
import { mutationsOf, type Step } from './mutation.js'
import { namesOf } from './names.js'
import type { Content } from './record.js'
import { endedIn, StepQueue } from './step-queue.js'
import { mergedSteps, mergeSteps, stepsOf, withoutAnswer } from './steps.js'
import { StorageError } from './storage-error.js'
import { dropLost, followSteps, forgetAll } from './told.js'

/** The members that an outbox needs of the run that reads and writes the log. */
export interface OutboxHost extends Omit<CourierHost, 'maxAttempts' | 'endpointOf' | 'nameOf' | 'write'> {
  /** Writes the steps that wait. */
  flush(): Promise<unknown>
}

/** The outbox of one controller, as its run sees it: the mutations, and their steps that no record has yet. */
export class OpenOutbox {
  readonly courier: Courier
  readonly queue: StepQueue = new StepQueue()
  readonly #host: OutboxHost

  constructor(host: OutboxHost, endpoints: Readonly<Record<string, object>>, maxAttempts: number) {
    this.#host = host
    this.courier = new Courier({ ...host, ...namesOf(endpoints), maxAttempts, write: this.write })
    registerCourier(host.registry, this.courier)
  }

  /** Writes steps in the record of the rows that are new by then, and returns its number; 0 if they could not be written. */
  readonly write = (steps: readonly Step[], isDurable: boolean): Promise<number> => {
    if (steps.length === 0) return Promise.resolve(0)
    try {
      const written = this.queue.add(steps, isDurable)
      this.courier.items.noteStored(steps, Infinity)
      this.#host.positions.noteEnds(endedIn(steps), Infinity)
      void this.#host.flush()
      return written
    } catch (cause) {
      this.#host.report(new StorageError('lacks a mutation', { cause }))
      return Promise.resolve(0)
    }
  }

  /** A record has steps that waited. */
  noteWritten(waiting: StepQueue['all'], record: number): void {
    const steps = waiting.flatMap((each) => each.steps)
    this.courier.items.noteStored(steps, record)
    this.queue.remove(waiting, record)
  }

  /** Takes over the mutations of the log; unless `shows`, they are sent only after `resume`. */
  restore(contents: readonly Content[], shows: boolean): void {
    const { courier } = this
    courier.restore(mutationsOf(stepsOf(contents), courier.items.realKeys), shows)
  }

  /** Applies the steps of a record of another tab, or of a summary. Resolves when their responses are written here. */
  async follow(content: Content): Promise<void> {
    const { number = 0, knew } = content
    const { ends } = this.#host.positions
    const steps = stepsOf([content])
    this.queue.dropEnded(steps)
    await followSteps(this.courier, steps, { number, isSummary: knew === undefined, ends })
  }

  /** Drops all mutations; with `isTold`, the log gets the ends of those that are being stored. */
  forget(isTold: boolean): void {
    const { courier } = this
    const ids = courier.items.all.map(({ mutation }) => mutation.id)
    // Records that were written before the deletion still have them.
    this.#host.positions.noteEnds(ids, Infinity)
    const ends = forgetAll(courier)
    this.queue.remove(this.queue.all, 0)
    if (isTold) void this.write(ends, false)
  }

  /** Drops the mutations that a log has lost, except for those that this tab has made since. */
  dropLost(contents: readonly Content[]): void {
    const { ends, again } = dropLost(this.courier, mutationsOf(stepsOf(contents)))
    // A request that waits for one of their steps goes on, and ends.
    this.queue.dropEnded(ends)
    void this.write(again, true)
  }

  /** Returns the steps of a summary. */
  readonly merge: typeof mergeSteps = mergeSteps

  /** The log was deleted after a reset: what waited in it is written again. */
  putBack(contents: readonly Content[]): void {
    this.queue.putBack(mergedSteps(stepsOf(contents).map(withoutAnswer)))
  }
}
