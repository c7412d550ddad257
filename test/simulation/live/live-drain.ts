import { settle } from '@roundtable/core/testing'
import { text } from '../same.js'
import { must } from '../wrong.js'
import type { LiveWorld } from './live-world.js'

/** More rounds than this, and the world never comes to rest. */
const ROUNDS = 600

/** So long nothing may happen any more, in ms: readers of what was deleted are told after a second. */
const QUIET = 2_000

/** The longest pause after which data that could not be fetched is asked for again, in ms: the clock's chance is a half. */
const PAUSE = 15_000

/** Lets everything come to rest, and checks what must hold then. */
export async function liveDrain(world: LiveWorld): Promise<void> {
  world.clock.announce({ online: true, visible: true })
  await rest(world)
  for (const { what, query } of world.mounts) {
    // A reader whose first request has failed shows nothing that could be kept up to date.
    if (world.overtaken.has(text(what)) || query.getSnapshot().data === undefined) void query.refetch()
  }
  await rest(world)
  must(world.waiting.size === 0, () => `never settled: ${[...world.waiting]}`)
  for (const { what, query } of world.mounts) checkEqual(world, what, query.getSnapshot())
  for (const { stop } of world.mounts.splice(0)) stop()
  world.controller.dispose()
  must(
    world.server.streams.every((stream) => stream.context.signal.aborted || !stream.isOpen),
    'a connection is left after dispose',
  )
  must(world.clock.pending === 0, () => `${world.clock.pending} timers are left after dispose`)
}

/** Answers every request, accepts every connection and sends all events, until nothing happens any more. */
async function rest(world: LiveWorld): Promise<void> {
  await settle()
  for (let round = 0; !(await isQuiet(world)); round++) {
    must(
      round < ROUNDS,
      () => `never comes to rest: ${world.status}, ${text(world.open.map(({ method, url }) => `${method} ${url}`))}`,
    )
    await go(world)
    await settle()
    world.check()
  }
}

/** One thing that can happen does; the last request first, since the order of responses must not matter. */
async function go(world: LiveWorld): Promise<void> {
  const { server, clock } = world
  const request = world.open.at(-1)
  const [waiting] = server.waiting
  const behind = server.open.find(({ sent = 0 }) => sent < server.lastEvent)
  if (request !== undefined) world.deliver(request, 'none')
  else if (waiting !== undefined) server.accept(waiting, false)
  else if (behind !== undefined) server.send(behind, 1)
  else if (world.status === 'refused') world.logOut()
  else {
    for (const stream of server.open) stream.push([])
    await clock.advance(1_000)
  }
}

async function isQuiet(world: LiveWorld): Promise<boolean> {
  const { server, clock, status } = world
  const isStill = (): boolean =>
    world.open.length === 0 &&
    server.waiting.length === 0 &&
    server.open.every((stream) => stream.sent === server.lastEvent && !stream.hasUnread) &&
    (status === 'open' || !world.isRead)
  if (!isStill()) return false
  const isFailed = world.mounts.some(({ query }) => query.getSnapshot().error !== undefined)
  await clock.advance(isFailed ? PAUSE : QUIET)
  return isStill()
}

/** What is shown is what the server has. */
function checkEqual(
  { server }: LiveWorld,
  what: LiveWorld['mounts'][number]['what'],
  shown: { readonly data: unknown; readonly error: unknown },
): void {
  const fields = (item: unknown): string => {
    const { id, title, note, group, version } = { ...(item as Record<string, unknown>) }
    return text([id, title, note, group, version])
  }
  if ('group' in what) {
    const rows = ((shown.data ?? []) as readonly unknown[]).map(fields).sort()
    const there = server.list(what.group).map(fields).sort()
    must(
      text(rows) === text(there),
      () => `the list of ${what.group} is ${text(rows)}, the server has ${text(there)}; ${text(shown.error)}`,
    )
    return
  }
  const stored = server.items.get(what.id)
  // Readers of what was deleted have been told so.
  if (stored === undefined) return
  must(
    fields(shown.data) === fields(stored),
    () => `item ${what.id} is ${fields(shown.data)}, the server has ${fields(stored)}; ${text(shown.error)}`,
  )
}
