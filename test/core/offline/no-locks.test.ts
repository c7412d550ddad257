import type { Transport } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { openApp, TaskResource } from './todo-server.js'

const { create } = TaskResource

/** Opens a tab of which the first change gets no answer; `signals` are those of its changes. */
async function openDeaf({ device, server, clock }: ReturnType<typeof begin>) {
  const tab = device.open()
  const signals: (AbortSignal | null | undefined)[] = []
  const transport: Transport = (input, init, next) => {
    if (init.method === 'GET') return server.transport(input, init, next)
    signals.push(init.signal)
    if (signals.length > 1) return server.transport(input, init, next)
    return new Promise((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    )
  }
  const app = await openApp(tab.log, server, { env: clock, transport: tab.transport(transport) })
  return { ...app, signals }
}

describe('without locks all tabs send', () => {
  test('and one that hears of the answer from another ends its own request, and settles with that answer', async () => {
    const world = begin({ hasLocks: false })
    const deaf = await openDeaf(world)
    const other = await world.open()
    const end = deaf.call(deaf.controller.fetch(create, { title: 'c' }))
    await world.pass()
    expect(end.value).toMatchObject({ id: 3, title: 'c' })
    expect(world.server.applied).toEqual(['POST /tasks {"title":"c"}'])
    expect(deaf.signals.map((signal) => signal?.aborted)).toEqual([true])
    expect([deaf.waiting(), other.waiting()]).toEqual([[], []])
  })

  test('and one that hears of a refusal from another ends its own request, and rejects with that', async () => {
    const world = begin({ hasLocks: false })
    const deaf = await openDeaf(world)
    const other = await world.open()
    world.server.refuse = (line) => (line.startsWith('POST') ? 422 : undefined)
    const end = deaf.call(deaf.controller.fetch(create, { title: 'c' }))
    await world.pass()
    expect(end.error).toMatchObject({ name: 'NetworkError', status: 422 })
    expect(deaf.signals.map((signal) => signal?.aborted)).toEqual([true])
    expect([deaf.waiting(), other.waiting()]).toEqual([['create refused'], ['create refused']])
  })
})
