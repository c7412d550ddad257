import { mutating, reading } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import { text } from '../same.js'
import { must } from '../wrong.js'
import type { HttpWorld } from './http-world.js'

/** More rounds than this, and the world never comes to rest. */
const ROUNDS = 200

/** Lets everything come to rest, and checks what must hold then. */
export async function httpDrain(world: HttpWorld): Promise<void> {
  world.clock.announce({ online: true, visible: true })
  await rest(world)
  for (const { what, isSettled } of world.callers) must(isSettled, `${what} never settled`)
  for (const { query } of world.watched) void query.refetch()
  await rest(world)
  checkItems(world)
  for (const group of new Set(world.lists.map((list) => list.group))) await checkList(world, group)
  world.check()
  for (const { stop } of world.watched.splice(0)) stop()
  for (const watch of world.attempts.splice(0)) watch.leave()
  world.controller.dispose()
}

/** Answers every request, also those that will be sent again. */
async function rest(world: HttpWorld): Promise<void> {
  const { open, controller, clock } = world
  const isBusy = (): boolean => controller.observe(reading).getSnapshot() || controller.observe(mutating).getSnapshot()
  await settle()
  for (let round = 0; open.length > 0 || isBusy(); round++) {
    must(round < ROUNDS, () => `never comes to rest: ${text(open.map(({ method, url }) => `${method} ${url}`))}`)
    if (open.length === 0) await clock.advance(200)
    // The last one first: the order of responses must not matter.
    else world.deliver(open.at(-1), 'none')
    await settle()
    world.check()
  }
}

/** Every watched item is as the server has it. */
function checkItems({ watched, server }: HttpWorld): void {
  for (const one of watched) {
    if ('group' in one) continue
    const { status, data } = one.query.getSnapshot()
    const stored = server.items.get(one.id)
    const shown = { ...(data as object | undefined) }
    const isRight = stored === undefined ? status === 'failed' : text(sorted(shown)) === text(sorted(stored))
    must(isRight, () => `item ${one.id} is ${status}, ${text(shown)}; the server has ${text(stored)}`)
  }
}

function sorted(record: object | undefined): unknown {
  return record && Object.entries(record).sort()
}

/** A refresh asks for all loaded pages in order; and with all pages, the list is the server's. */
async function checkList(world: HttpWorld, group: string): Promise<void> {
  const query = world.lists.find((list) => list.group === group)?.query
  if (query === undefined) return
  const { pages } = query.getSnapshot()
  const sent = world.log.length
  void query.refetch()
  await rest(world)
  const asked = world.log.slice(sent).filter((line) => line.startsWith(`GET /items?group=${group}`))
  const expected = Array.from({ length: Math.max(1, pages) }, (_, i) =>
    i === 0 ? `GET /items?group=${group}` : `GET /items?group=${group}&page=${i + 1}`,
  )
  must(text(asked) === text(expected), () => `a refresh of ${pages} pages asked for ${text(asked)}`)
  for (let more = 0; query.getSnapshot().hasNext !== false; more++) {
    must(more < ROUNDS, `the list of ${group} never ends`)
    void query.fetchNext()
    await rest(world)
  }
  // What a mutation has put among the members stays there while pages are added.
  void query.refetch()
  await rest(world)
  const { items, writes } = world.server
  // Of what was put there from here, no page tells that others have deleted it.
  const isGone = (id: number): boolean => !items.has(id) && writes.some((one) => one.id === id && one.by === 'client')
  const shown = (query.getSnapshot().data as readonly { readonly id: number }[]).map(({ id }) => id)
  const ids = shown.filter((id) => !isGone(id))
  must(
    text(ids) === text(world.server.ids(group)),
    () => `${group} is ${text(ids)}, not ${text(world.server.ids(group))}`,
  )
}
