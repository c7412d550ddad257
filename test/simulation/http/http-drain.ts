import { mutating, reading } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import { text } from '../same.js'
import { must } from '../wrong.js'
import { OTHERS } from './http-program.js'
import { type HttpWorld, membersOf } from './http-world.js'
import type { StoredItem } from './item-server.js'

/** More rounds than this, and the world never comes to rest. */
const ROUNDS = 200

/** Lets everything come to rest, and checks what must hold then. */
export async function httpDrain(world: HttpWorld): Promise<void> {
  world.clock.announce({ online: true, visible: true })
  await rest(world)
  for (const { what, isSettled } of world.callers) must(isSettled, `${what} never settled`)
  if (isAlone(world)) await checkAlone(world)
  for (const { query } of world.watched) void query.refetch()
  await rest(world)
  checkItems(world, true)
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
  // A request is over some turns before its caller knows.
  await settle()
}

/** Every watched item is as the server has it; unless `isAll`, those that show the error of a request may not be. */
function checkItems({ watched, server }: HttpWorld, isAll: boolean): void {
  for (const one of watched) {
    if ('group' in one) continue
    const { status, data, error } = one.query.getSnapshot()
    if (!isAll && error !== undefined) continue
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
  const first = `GET /items?group=${group}`
  const most = Math.max(1, pages)
  const numbers = Array.from({ length: most }, (_, i) => (i === 0 ? undefined : `${i + 1}`))
  const params = world.program.traits.cursors ? world.server.pages(group, most) : numbers
  const expected = params.map((page) => (page === undefined ? first : `${first}&${new URLSearchParams({ page })}`))
  must(text(asked) === text(expected), () => `a refresh of ${pages} pages asked for ${text(asked)}`)
  for (let more = 0; query.getSnapshot().hasNext !== false; more++) {
    must(more < ROUNDS, `the list of ${group} never ends`)
    void query.fetchNext()
    await rest(world)
  }
  // What a mutation has put among the members stays there while pages are added.
  void query.refetch()
  await rest(world)
  const shown = membersOf(query.getSnapshot().data)
  const ids = shown.map(({ id }) => id)
  const there = world.server.ids(group)
  must(text(ids) === text(there), () => `${group} is ${text(ids)}, not ${text(there)}`)
  for (const item of shown) checkMember(world, group, item)
}

/** A member of a list is as the server has it, in what lists tell. */
function checkMember({ server }: HttpWorld, group: string, { id, title, version }: StoredItem): void {
  const stored = server.items.get(id)
  const isRight = stored?.title === title && stored.version === version && stored.group === group
  must(isRight, () => `the list of ${group} shows ${title} ${version} of ${id}; the server has ${text(stored)}`)
}

/** Nobody but this client has changed anything: whatever it has not heard of that, it knows to ask for. */
function isAlone({ program: { commands } }: HttpWorld): boolean {
  return !commands.some((one) => OTHERS.includes(one.do))
}

/**
 * Pages that were read before and after an item changed its place have it between them. Only `belongs` tells then that it is
 * in the list.
 */
function mayFallBetween({ program: { commands, traits } }: HttpWorld, id: number): boolean {
  const isMoved = commands.some(
    (one) => ((one.do === 'patch' && one.id === id) || one.do === 'patch new') && one.field === 'title',
  )
  return traits.lists === 'sorted' && isMoved
}

/** Without a fetch by anybody, the screen is what the server has, in whatever order it has applied what was sent. */
async function checkAlone(world: HttpWorld): Promise<void> {
  const isHeard = !world.program.commands.some((one) => one.do === 'deliver' && one.fault !== 'none')
  // Readers of what was deleted are told after a second; what a failed request was to settle is asked for after a pause.
  await world.clock.advance(isHeard ? 1_000 : 200_000)
  await rest(world)
  checkItems(world, isHeard)
  for (const { id } of world.known) {
    // Of a creation and a deletion that cross only the server knows which came last, and it is asked by who shows the row.
    const isRight = !isHeard || world.server.items.has(id) || world.isGuessed(id)
    must(isRight, () => `${id} is known, though it was deleted`)
  }
  for (const { group, query } of world.lists) {
    const { status, data, hasNext, error } = query.getSnapshot()
    if (status !== 'ready' || error !== undefined) continue
    for (const item of membersOf(data)) checkMember(world, group, item)
    const ids = membersOf(data).map(({ id }) => id)
    const missing = world.server.ids(group).filter((id) => !ids.includes(id) && !mayFallBetween(world, id))
    // By numbers, pages that were read before a deletion and after it have a row between them.
    must(
      hasNext || !world.program.traits.cursors || missing.length === 0,
      () => `the list of ${group} has all pages, and lacks ${missing}`,
    )
  }
}
