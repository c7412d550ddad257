import type { Step } from './mutation.js'
import type { StoredStep } from './record.js'
import { encodeStep, withoutAnswer } from './steps.js'

/** Steps that wait to be written in one record. */
export interface Waiting {
  readonly steps: readonly Step[]
  stored: readonly StoredStep[]
  readonly isDurable: boolean
  /** Called with the number of their record; 0 if the storage refused them. */
  settle(record: number): void
}

/** The steps that no record has yet, in their order: those that a full disk refuses are in the next record that it takes. */
export class StepQueue {
  #all: readonly Waiting[] = []

  get all(): readonly Waiting[] {
    return this.#all
  }

  /**
   * Resolves with their record, or with 0 once they were refused, though they stay.
   *
   * @throws TypeError for a mutation that cannot be stored
   */
  add(steps: readonly Step[], isDurable: boolean): Promise<number> {
    const stored = steps.map(encodeStep)
    return new Promise((settle) => {
      this.#all = [...this.#all, { steps, stored, isDurable, settle }]
    })
  }

  /** They were in the log, and come before all that are not. */
  putBack(steps: readonly Step[]): void {
    const settle = (): void => {}
    const back = steps.map((step) => ({ steps: [step], stored: [encodeStep(step)], isDurable: true, settle }))
    this.#all = [...back, ...this.#all]
  }

  /** The store was reset: no response from before that is stored. */
  dropAnswers(): void {
    for (const each of this.#all) each.stored = each.steps.map(withoutAnswer).map(encodeStep)
  }

  /** They are over: in this record, or in none. */
  remove(some: readonly Waiting[], record: number): void {
    this.#all = this.#all.filter((each) => !some.includes(each))
    for (const { settle } of some) settle(record)
  }

  /**
   * Writes each by itself. A mutation that cannot be written leaves: later, it would come after those that were made
   * after it.
   */
  async writeEach(all: readonly Waiting[], write: (each: Waiting) => Promise<boolean>): Promise<void> {
    for (const each of all)
      if (!(await write(each)) && each.steps.some(([type]) => type === 'add')) this.remove([each], 0)
  }

  /** These steps are told: of a mutation that they end, only an end may come after that. */
  dropEnded(told: readonly Step[]): void {
    const ended = endedIn(told)
    const isOver = ([type, id]: Step): boolean => type !== 'end' && ended.has(id)
    this.remove(
      this.#all.filter(({ steps }) => steps.every(isOver)),
      0,
    )
  }

  /** No caller waits for them any more; only the ends of finished mutations stay. */
  postpone(some: readonly Waiting[]): void {
    for (const { settle } of some) settle(0)
    this.dropEnded(this.#all.flatMap(({ steps }) => steps))
  }
}

/** Returns the mutations that these steps end. */
export function endedIn(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap(([type, id]) => (type === 'end' ? id : [])))
}
