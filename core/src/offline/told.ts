import { abortError } from '../endpoint/abort.js'
import { resumeBy } from '../http/kept.js'
import type { Env } from '../util/env.js'
import { errorOf } from './answers.js'
import type { Courier } from './courier.js'
import type { Flights } from './flights.js'
import { endFlight, type Item, type Items, markRefused } from './items.js'
import { type Answer, addKeys, type ErrorFacts, type Mutation, withRealKeys, withStep } from './mutation.js'
import type { Content } from './record.js'
import { stepsOf } from './steps.js'

/**
 * How long the log waits, in ms, for a request whose response another tab has reported, since a user's function may
 * delay it.
 */
const PATIENCE = 1_000

/**
 * Applies the steps that another tab has written in a record. Resolves when its responses are written here; a summary
 * contains all unfinished mutations.
 */
export async function followSteps(courier: Courier, content: Content, flights: Flights): Promise<void> {
  const { items } = courier
  const { number = 0, knew } = content
  const isSummary = knew === undefined
  const steps = stepsOf([content])
  const tell = async (item: Item, answer: Answer): Promise<void> => {
    if (item.flight === undefined) items.delete(item)
    else await toldBy(item, answer || abortError('It was discarded.'), courier.env)
  }
  if (isSummary) courier.isPaused = false
  const ids = new Set(steps.map(([, id]) => id))
  const added = new Map(steps.flatMap(([type, id], at) => (type === 'add' ? [[id, at] as const] : [])))
  for (const [at, step] of steps.entries()) {
    const item = items.get(step[1])
    if (step[0] === 'resume') courier.resume(true)
    else if (step[0] === 'pause') courier.isPaused = true
    else if (step[0] === 'add') {
      const [, id, mutation] = step
      const { error } = mutation
      if (flights.hasEnded(id)) continue
      if (item === undefined) courier.admit(mutation, number, true, placeFor(at, added, items))
      else if (error !== undefined) await refuse(item, error, mutation.rows, courier.env)
      else if (item.status === 'refused') {
        if (number >= (item.refusedIn ?? 0)) courier.again(item, number)
      } else update(item, mutation, items)
    } else if (step[0] === 'end') {
      const [, , keys, answer] = step
      addKeys(items.realKeys, keys)
      // A reported response contains them and is written with them in one commit.
      if (keys.length > 0 && (!item?.flight || !Array.isArray(answer))) rename(items)
      if (item !== undefined) await tell(item, answer)
    } else if (item === undefined) continue
    else if (step[0] === 'refuse') await refuse(item, step[2], step[3], courier.env)
    else if (step[0] === 'retry') {
      // Two tabs may have sent it again.
      if (item.status === 'refused') courier.again(item, number)
    } else if (step[0] === 'keep') keep(item, step[2])
    else if (step[0] === 'try') {
      // A reset unknown to the sender may have set it aside here. Without locks, it may already be refused.
      if (!item.isOwn && item.status !== 'refused')
        item.status = item.flight && step[2] > item.mutation.attempts ? 'sending' : 'waiting'
      item.mutation = withStep(item.mutation, step)
      if (!step[3] && !item.isOwn) item.sentAt = undefined
    }
  }
  // Mutations that are in no list are over, with an unknown result.
  for (const item of isSummary ? items.all : [])
    if (!ids.has(item.mutation.id) && item.number > 0 && item.number <= number) await tell(item, 1)
  if (isSummary || steps.length > 0) items.changed()
}

/**
 * Returns the place of a mutation of a record: that of the next one there which is known here, but after all before it
 * there; undefined if no next one is known. This tab may have made one of the next before it read the others, or know
 * others in another order.
 */
function placeFor(at: number, added: ReadonlyMap<string, number>, { all }: Items): number | undefined {
  let next = Infinity
  let [place, after] = [0, 0]
  for (const [i, { mutation }] of all.entries()) {
    const step = added.get(mutation.id) ?? at
    if (step < at) after = i + 1
    else if (step > at && step < next) [next, place] = [step, i]
  }
  return next < Infinity ? Math.max(place, after) : undefined
}

/** The server has refused it for all tabs. */
async function refuse(item: Item, error: ErrorFacts, rows: readonly string[] | undefined, env: Env): Promise<void> {
  if (item.flight !== undefined) {
    await toldBy(item, errorOf(error), env)
    return
  }
  markRefused(item, error, rows)
}

/** Drops mutations and aborts their flights, the last one first. */
export function drop(courier: Courier, some: readonly Item[]): void {
  const all = [...some].reverse()
  for (const item of all) courier.items.delete(item)
  for (const item of all) {
    endFlight(item)
    // The log may wait for its response.
    item.over?.()
  }
  courier.items.changed()
  courier.pump()
}

/** A mutation as the log has it by now: a row that it names may have its real key there, or only here. */
function update(item: Item, stored: Mutation, { realKeys }: Items): void {
  const { flight } = item
  const mutation = withRealKeys(stored, realKeys)
  item.mutation = mutation
  if (flight === undefined) return
  flight.args = mutation.args
  if (flight.layer !== undefined) flight.layer.dirty = true
  keep(item, mutation.kept)
}

function rename(items: Items): void {
  for (const item of items.all)
    if (withRealKeys(item.mutation, items.realKeys) !== item.mutation) update(item, item.mutation, items)
}

function keep(item: Item, kept: unknown): void {
  item.mutation = { ...item.mutation, kept }
  if (item.flight !== undefined && kept !== undefined) resumeBy(item.flight, kept)
}

/** Another tab knows how it ended: its flight here ends in the same way. */
function toldBy(item: Item, told: Exclude<Answer, 0> | Error, env: Env): Promise<void> | undefined {
  item.told = told
  // It is about to be sent, or waits for another one, and looks then.
  const error = told instanceof Error ? told : undefined
  const isDiscarded = error?.name === 'AbortError'
  if (item.end === undefined && (item.isOwn || (error && !isDiscarded))) return undefined
  const over = new Promise<void>((resolve) => {
    const timer = env.setTimeout(resolve, PATIENCE, true)
    item.over = () => {
      env.clearTimeout(timer)
      resolve()
    }
  })
  if (isDiscarded) endFlight(item)
  else item.end?.(error)
  // Last, since no caller receives its error.
  item.attempt?.abort()
  return over
}
