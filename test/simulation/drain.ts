import { settle } from './clock.js'
import { argsOf, before, type Item, Note, type Target } from './domain.js'
import type { Mount } from './mount.js'
import type { Command } from './program.js'
import { text } from './same.js'
import type { World } from './world.js'
import { must } from './wrong.js'

/**
 * More requests than so many for each command, and the world never comes to rest: an edit that settles may make all
 * readers fetch again.
 */
const ROUNDS = 10

/** Lets everything come to rest, and checks what must hold then. */
export async function drain(world: World, onRest: (shown: readonly unknown[]) => void): Promise<void> {
  world.clock.goOnline(true)
  world.clock.show(true)
  // Now that the network is back, what is stale is asked for.
  if (world.program.traits.revalidates === true) await world.clock.advance(1_000)
  // What they show after this second is what a deletion leaves on the screen.
  world.check()
  await rest(world)
  checkSettled(world)
  if (!world.isDisposed) {
    checkNothingLost(world)
    await refetch(world)
    await rest(world)
    for (const mount of world.mounts) checkEqualsServer(world, mount)
    if (world.collects) await checkAfterSweeps(world)
  }
  for (const mount of [...world.mounts, ...world.left]) mount.checkHandedOut()
  onRest(world.screens)
  await unmountAll(world)
  checkSettled(world)
}

/** What nobody needs is collected, and the screens are what they were. */
async function checkAfterSweeps(world: World): Promise<void> {
  while (world.polls.length > 0) world.stopPolling(0)
  const before = text(world.screens)
  await world.clock.advance(200_000)
  world.check()
  must(text(world.screens) === before, () => `sweeps made ${text(world.screens)} of ${before}`)
}

/** Answers every request until none is left. */
export async function rest(world: World): Promise<void> {
  const { server, program } = world
  const most = ROUNDS * (4 + program.commands.length)
  for (let round = 0; server.open.length > 0; round++) {
    must(round < most, () => `never comes to rest: ${text(server.open.map(({ call }) => call))}`)
    // The last one first: the order of answers must not matter.
    world.deliver(server.open.at(-1), 'none')
    await settle()
    world.check()
  }
}

function checkSettled(world: World): void {
  for (const { what, isSettled } of world.waiting) must(isSettled, `${what} never settled`)
}

/**
 * No acknowledged edit is hidden. If the server applies requests in any order, that takes a fetch, which tells of the
 * fields that its answer carries.
 */
function checkNothingLost(world: World): void {
  for (const { target, shown, isOfDeleted } of world.mounts) {
    if (isOfDeleted) continue
    // Where errors are soft, what the fetch would have corrected may still be on the screen.
    if (shown.status !== 'ready' || (world.isSoft && !world.server.isInOrder)) continue
    // The fetch has failed, and is sent again after a pause.
    if (!world.server.isInOrder && world.failedReads.has(text(target))) continue
    // A page shows members that only other pages' answers carry.
    if (target.read === 'page' && !world.server.isInOrder) continue
    // Of a row that was collected only what came again is known: what lists carry, or what an edit said of an item.
    const isWhole = !world.collects && (target.read === 'item' || world.server.isInOrder)
    const carried = isWhole ? undefined : world.collects && target.read === 'item' ? ['@'] : ['@', 'a', 'group']
    for (const item of itemsIn(target, shown.data)) {
      // What no page brings is as much of a collected row as an edit said.
      if (world.collects && target.read === 'page' && !isOnPage(world, target, item)) continue
      const lost = world.ledger.lost(`${item instanceof Note ? 'Note' : 'Item'} ${item.id}`, item as never, carried)
      must(lost.length === 0, () => `${text(target)} lost an acknowledged edit: ${lost.join(', ')}`)
    }
  }
}

/** True if a mounted page of the group brings an item. */
function isOnPage(world: World, { group }: Target & { read: 'page' }, { id }: Item): boolean {
  return broughtTo(world, group).includes(String(id))
}

/** The ids that the mounted pages of a group bring, in the order of the pages. */
function broughtTo(world: World, group: string): readonly string[] {
  const brought = pagesOf(world, group).flatMap((page) => {
    const items = world.server.show({ read: 'page', group, page }) as readonly Item[]
    return items.map(({ id }) => String(id))
  })
  return [...new Set(brought)]
}

/** The mounted pages of a group. */
function pagesOf(world: World, group: string): readonly number[] {
  const pages = world.mounts.flatMap(({ target }) =>
    target.read === 'page' && target.group === group ? [target.page ?? 0] : [],
  )
  return [...new Set(pages)].sort()
}

function itemsIn(target: Target, data: unknown): readonly Item[] {
  if (['stats', 'board', 'scores'].includes(target.read) || data === undefined) return []
  if (target.read === 'item') return [data as Item]
  return target.read === 'box' ? (data as { items: readonly Item[] }).items : Object.values(data as readonly Item[])
}

/** Fetches each mounted key once. */
async function refetch(world: World): Promise<void> {
  const seen = new Set<string>()
  world.deletions.asked()
  for (const { target } of world.mounts) {
    const key = text(target)
    if (seen.has(key)) continue
    seen.add(key)
    world.controller.fetch(world.endpoints.of(target.read), ...argsOf(target)).catch(() => {})
  }
  await settle()
}

/** The screen shows what the server has, in the fields that the answer carries. */
function checkEqualsServer(world: World, { target, shown }: Mount): void {
  const where = (): string => `${text(target)} shows ${text(shown)}`
  if (target.read === 'item' && !world.server.has(target.id)) {
    const isFailed = shown.status === 'failed' || (world.isSoft && shown.status === 'ready')
    must(isFailed, () => `${where()}, the server has no such item`)
    return
  }
  if (target.read === 'page') {
    checkPages(world, target, shown.data)
    return
  }
  const truth = inOrder(world, target, world.server.show(target))
  must(shown.status === 'ready', () => `${where()}, the server has ${text(truth)}`)
  must(carries(shown.data, truth), () => `${where()}, the server has ${text(truth)}`)
}

/** What the server has, in the order that lists keep. */
function inOrder(world: World, target: Target, truth: unknown): unknown {
  if (target.read === 'board') {
    const board = truth as { readonly items: readonly Item[] }
    return { ...board, items: board.items.map(({ id }) => String(id)) }
  }
  if (world.program.traits.keeps !== true) return truth
  if (target.read === 'list') return (truth as Item[]).toSorted(before as never)
  if (target.read !== 'box') return truth
  const box = truth as { readonly items: Item[] }
  return { ...box, items: box.items.toSorted(before as never) }
}

/**
 * Pages that are mounted stand in their order, each member once; among them may stand what no page has brought. A page
 * that was loaded and is not mounted may be older, and then has its say about their order.
 */
function checkPages(world: World, { group }: Target & { read: 'page' }, data: unknown): void {
  const shown = (data as readonly Item[]).map(({ id }) => String(id))
  must(new Set(shown).size === shown.length, () => `a page twice in ${text(shown)}`)
  const pages = pagesOf(world, group)
  const brought = broughtTo(world, group)
  const there = shown.filter((id) => brought.includes(id))
  const isOther = (command: Command): boolean => {
    if (command.do === 'batch') return command.commands.some(isOther)
    const { target } = command as { readonly target?: Target }
    return target?.read === 'page' && target.group === group && !pages.includes(target.page ?? 0)
  }
  const isOrdered = !world.program.commands.some(isOther)
  const orderOf = (ids: readonly string[]): string => text(isOrdered ? ids : [...ids].sort())
  must(
    orderOf(there) === orderOf(brought),
    () => `pages of ${group} show ${text(shown)}, the server has ${text(brought)}`,
  )
}

/** True if all that the server says is shown. */
function carries(shown: unknown, truth: unknown): boolean {
  if (typeof truth !== 'object' || truth === null) return Object.is(shown, truth)
  if (typeof shown !== 'object' || shown === null) return false
  if (Array.isArray(truth) && (shown as unknown[]).length !== truth.length) return false
  return Object.entries(truth).every(
    ([name, value]) => Object.hasOwn(shown, name) && carries((shown as Record<string, unknown>)[name], value),
  )
}

/** When everybody has left, no timer waits. */
async function unmountAll(world: World): Promise<void> {
  for (const mount of world.mounts.splice(0)) {
    mount.leave()
    world.left.push(mount)
  }
  while (world.polls.length > 0) world.stopPolling(0)
  for (const watch of world.watches.splice(0)) watch.leave()
  world.comebacks.leave()
  for (const following of world.followings.splice(0)) following.leave()
  for (const stop of world.bad) stop()
  await settle()
  // Reads that suspended are held for a while.
  await world.clock.advance(31_000)
  await rest(world)
  // What nobody uses is collected after its time, twice that at most.
  await world.clock.advance(200_000)
  world.check()
  must(world.clock.waiting === 0, `${world.clock.waiting} timers wait though everybody has left`)
  if (world.collects && !world.isDisposed) checkEmpty(world)
}

/** What nobody uses is gone: rows, lists and results. */
function checkEmpty(world: World): void {
  const { data } = world.controller.getResponse(world.endpoints.of('stats'))
  const kept = [...world.table(), ...(data === undefined ? [] : [text(data)])]
  must(kept.length === 0, () => `kept though nobody uses it: ${kept.join(', ')}`)
}
