import { Controller, ExpiryStatus } from '@roundtable/core'
import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import { argsOf } from './domain.js'
import { same, text } from './same.js'
import type { World } from './world.js'
import { must, Wrong } from './wrong.js'

/**
 * Dehydrates what there is, and hydrates it twice: into the same controller, where it is older than everything and changes nothing,
 * whatever is in flight or pending; and into an empty one, which then shows and judges what the first does without its layers.
 */
export function hydrateAgain(world: World): void {
  const { controller, mounts } = world
  if (world.isDisposed) return
  const state: Dehydrated = JSON.parse(JSON.stringify(dehydrate(controller)))
  const before = mounts.map(({ told, query }) => [told, query.getSnapshot()] as const)
  hydrate(controller, state)
  mounts.forEach(({ target, told, query }, i) => {
    const [was, shown] = before[i] ?? []
    must(told === was && query.getSnapshot() === shown, () => `${text(target)} changed by its own state`)
  })
  compareWithEmpty(world, state)
}

function compareWithEmpty(world: World, state: Dehydrated): void {
  const { controller, endpoints, clock, mounts } = world
  if (world.server.open.some(({ call }) => call.type === 'edit')) return
  const onError = (error: Error): void => {
    throw new Wrong(`a state cannot be hydrated: ${error.message}, ${String(error.cause)}`)
  }
  const empty = new Controller({ env: clock, retention: false, onError })
  hydrate(empty, state)
  for (const { target } of mounts) {
    const endpoint = endpoints.of(target.read)
    const here = controller.getResponse(endpoint, ...argsOf(target))
    // A key's own mark stays here: elsewhere it is as if it was never fetched.
    if (here.expiryStatus === ExpiryStatus.Invalid) continue
    const there = empty.getResponse(endpoint, ...argsOf(target))
    const isFresh = ({ expiresAt }: { readonly expiresAt: number }): boolean => clock.now() < expiresAt
    must(same(here.data, there.data), () => `${text(target)} is ${text(here.data)}, and hydrated ${text(there.data)}`)
    must(
      isFresh(here) === isFresh(there),
      () =>
        `${text(target)} expires in ${here.expiresAt - clock.now()} ms, hydrated in ${there.expiresAt - clock.now()}`,
    )
    // Beside data of a mutation that was in flight together with the read that failed: a state has one order of both.
    const isBesideData = here.data !== undefined
    must(
      isBesideData || !here.error === !there.error,
      () => `${text(target)} has ${text(here.error)}, and hydrated ${text(there.error)}`,
    )
  }
  empty.dispose()
}
