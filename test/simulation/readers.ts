import { Endpoint, type Snapshot } from '@roundtable/core'
import { argsOf, StatusError } from './domain.js'
import { same, text } from './same.js'
import type { World } from './world.js'
import { must } from './wrong.js'

/**
 * What is read from remembered views equals what a reader without memory sees: optimistic answers are given such a
 * reader, so an edit that expects nothing is made to look through one.
 */
export function compareReaders(world: World): void {
  const { controller, endpoints, mounts } = world
  if (world.isDisposed) return
  const remembered = controller.snapshot()
  let wrong: unknown
  const compare = (fresh: Snapshot): never => {
    for (const { target } of mounts) {
      const endpoint = endpoints.of(target.read)
      const [anew, before] = [fresh, remembered].map((from) => from.getResponse(endpoint, ...argsOf(target)).data)
      const what = (): string => `${text(target)} is ${text(anew)} read anew, and remembered as ${text(before)}`
      try {
        must(same(anew, before), what)
      } catch (error) {
        wrong = error
      }
    }
    throw fresh.abort
  }
  const probe = new Endpoint(() => Promise.reject(new StatusError(418)), {
    name: 'probe',
    sideEffect: true,
    getOptimisticResponse: compare as never,
  })
  controller.fetch(probe).catch(() => {})
  if (wrong !== undefined) throw wrong
}
