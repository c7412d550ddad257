import type { Transport } from '@roundtable/core'
import { memoryLog, type OfflineLog } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { decode } from '../../../core/src/offline/record.js'
import { stepsOf } from '../../../core/src/offline/steps.js'
import { cases } from '../../cases.js'
import { Random } from '../../simulation/random.js'
import { openApp, rest, TaskResource, TaskServer } from './todo-server.js'

const NEVER = new Promise<never>(() => {})

/** The power of a device: it fails at a point, and from then on nothing that it does has an effect. */
class Power {
  readonly #last: number
  points = 0

  constructor(last: number) {
    this.#last = last
  }

  get isOn(): boolean {
    return this.points < this.#last
  }

  /** Does something: the power may fail before it, or after it and before anybody hears of it. */
  async does<Result>(work: () => Promise<Result>): Promise<Result> {
    this.points += 1
    if (!this.isOn) return NEVER
    const result = await work()
    this.points += 1
    return this.isOn ? result : NEVER
  }

  log(log: OfflineLog): OfflineLog {
    return {
      append: (...args) => this.does(() => log.append(...args)),
      read: (...args) => this.does(() => log.read(...args)),
      rewrite: (...args) => this.does(() => log.rewrite(...args)),
      clear: () => this.does(() => log.clear()),
    }
  }

  transport(transport: Transport): Transport {
    return (...args) => this.does(() => transport(...args))
  }
}

/** One user on one device. */
async function session(memory: OfflineLog, server: TaskServer, power: Power, makes: boolean) {
  const added: string[] = []
  const log: OfflineLog = {
    ...memory,
    append(entry, isDurable) {
      for (const [type, id] of stepsOf([decode(entry)])) if (type === 'add') added.push(id)
      return memory.append(entry, isDurable)
    },
  }
  const opening = openApp(power.log(log), server, { transport: power.transport(server.transport) })
  const app = await Promise.race([opening, rest().then(rest)])
  if (app === undefined) return added
  if (makes) {
    const { controller, call, store } = app
    call(controller.fetch(TaskResource.create, { title: 'Milk' }))
    const id = store.outbox.getSnapshot().at(-1)?.id
    call(controller.fetch(TaskResource.partialUpdate, { id: `optimistic:${id}` }, { title: 'Oat milk' }))
    call(controller.fetch(TaskResource.partialUpdate, { id: 1 }, { title: 'A' }))
    call(controller.fetch(TaskResource.delete, { id: 2 }))
  }
  await rest()
  await app.clock.advance(1_000)
  if (makes) app.call(app.controller.fetch(TaskResource.partialUpdate, { id: 1 }, { done: true }))
  await rest()
  await app.clock.advance(1_000)
  await rest()
  if (power.isOn) expect(app.waiting()).toEqual([])
  return added
}

function newServer(): TaskServer {
  const server = new TaskServer()
  server.add('a')
  server.add('b')
  return server
}

/** What was done, by what was asked for; the server gives the new row the key 3. */
const EFFECTS = [
  'POST /tasks',
  'PATCH /tasks/3',
  'PATCH /tasks/1 {"title"',
  'DELETE /tasks/2',
  'PATCH /tasks/1 {"done"',
]

/** All that was stored was done once, in order; nothing else was done. */
function check({ applied }: TaskServer, added: readonly string[], at: string): void {
  const effects = applied.map((line) => EFFECTS.findIndex((effect) => line.startsWith(effect)))
  expect(new Set(effects).size, at).toBe(effects.length)
  expect(effects.length, at).toBe(new Set(added).size)
  const before = (one: number, other: number): void => {
    if (effects.includes(other)) expect(effects.indexOf(one), at).toBeLessThan(effects.indexOf(other))
  }
  before(0, 1)
  before(2, 4)
}

describe('a device whose power fails', () => {
  test('before or after any write or request: nothing that was stored is lost, and nothing is done twice', async () => {
    const whole = new Power(Infinity)
    const server = newServer()
    check(server, await session(memoryLog(), server, whole, true), 'without a failure')
    expect(server.applied).toHaveLength(5)
    expect(whole.points).toBeGreaterThan(20)
    for (let point = 1; point <= whole.points; point++) {
      const memory = memoryLog()
      const server = newServer()
      const added = await session(memory, server, new Power(point), true)
      await session(memory, server, new Power(Infinity), false)
      check(server, added, `at ${point}`)
    }
  })

  test('again and again, at any points', async () => {
    for (let seed = 1; seed <= cases(100); seed++) {
      const random = new Random(seed)
      const memory = memoryLog()
      const server = newServer()
      const added = await session(memory, server, new Power(1 + random.below(40)), true)
      for (let failures = random.below(5); failures > 0; failures--)
        await session(memory, server, new Power(1 + random.below(20)), false)
      await session(memory, server, new Power(Infinity), false)
      check(server, added, `seed ${seed}`)
    }
  })
})
