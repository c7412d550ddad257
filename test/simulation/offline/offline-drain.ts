import { mutating, reading } from '@roundtable/core'
import { hostOf } from '../../../core/src/client/registry.js'
import { changedAt, type ListNode } from '../../../core/src/table/row.js'
import { text } from '../same.js'
import { must } from '../wrong.js'
import { settle } from './device.js'
import { type KeyedServer, TASK_FIELDS } from './keyed-server.js'
import { LISTS, OTHERS } from './offline-program.js'
import type { Account, OfflineWorld, Tab } from './offline-world.js'
import { baseOf, cut, listOf, shownBy } from './shown.js'

/** More rounds than this, and the world never comes to rest. */
const ROUNDS = 300

/** Lets everything come to rest, and checks what must hold then. */
export async function offlineDrain(world: OfflineWorld): Promise<void> {
  for (const { disk } of world.accounts) {
    disk.isFull = disk.isSlow = false
    disk.work()
  }
  for (const tab of world.tabs) {
    tab.page.pointsLeft = Infinity
    tab.page.isVisible = true
    world.wake(tab)
  }
  world.device.goOnline(true)
  await settle()
  for (const account of world.accounts)
    if (world.tabs.every((tab) => tab.account !== account)) await world.openTab(account.user)
  world.resumeAll()
  await rest(world)
  for (const { callers } of world.tabs)
    must(callers.length === 0, () => `never settled: ${callers.map(({ what }) => what)}`)
  checkFates(world)
  checkLost(world)
  // A list that another page has stored last knows who belongs to it once it is shown.
  for (const tab of world.tabs) shownBy(tab)
  await settle()
  for (const tab of tellsAll(world) ? world.tabs : []) checkPlaces(world, tab)
  for (const tab of isAlone(world) ? world.tabs : []) {
    const { server } = tab.account
    const isIncomplete = world.program.traits.isBulky || server.done.some(({ id }) => isCrossed(world.made, server, id))
    checkEqual(world, tab, isIncomplete ? outOfDate(tab) : undefined)
  }
  for (const tab of mayKnow(world) ? world.tabs : []) {
    await show(world, tab)
    checkEqual(world, tab)
  }
  for (const tab of world.tabs) await refresh(world, tab)
  for (const tab of world.tabs) checkEqual(world, tab)
  for (const account of world.accounts) await checkRestored(world, account)
  for (const tab of world.tabs) {
    for (const stop of tab.watched) stop()
    tab.page.end()
    tab.controller.dispose()
  }
}

/** Answers every request, also those that will be sent again. */
async function rest(world: OfflineWorld): Promise<void> {
  const isBusy = ({ controller, store }: Tab): boolean =>
    controller.observe(reading).getSnapshot() ||
    controller.observe(mutating).getSnapshot() ||
    store.outbox.getSnapshot().some(({ status }) => status !== 'refused')
  await settle()
  for (let round = 0; world.open.length > 0 || world.tabs.some(isBusy); round++) {
    must(round < ROUNDS, () => {
      const left = world.tabs.flatMap(({ store }) => store.outbox.getSnapshot())
      return `never comes to rest: ${text(world.open.map(({ asked }) => asked))} ${text(left)}`
    })
    if (world.open.length === 0) await world.device.advance(5_000)
    // The last one first: the order of responses must not matter.
    else world.deliver(world.open.at(-1), 'none')
    await settle()
    await world.check()
  }
  // Data that no outbox knows of is stored after a pause: the pages read what the last one has stored, and may ask then.
  for (const { store } of world.tabs) void store.flush()
  await settle()
  if (world.open.length > 0 || world.tabs.some(isBusy)) await rest(world)
}

/** What was stored was done once, or had nothing to delete, or is there as refused, unless it was given up. */
function checkFates({ made, accounts, tabs }: OfflineWorld): void {
  const done = new Set(accounts.flatMap(({ server }) => [...server.done.map(({ key }) => key), ...server.missed]))
  const refused = new Set(tabs.flatMap(({ store }) => store.outbox.getSnapshot().map(({ id }) => id)))
  for (const { id, order, isStored, isExcused } of made.values()) {
    if (!isStored || isExcused) continue
    must(done.has(id) || refused.has(id), () => `mutation ${order} was stored, and is lost`)
  }
}

/** What names a new row is refused only if its creation was, or has not told the key of the row. */
function checkLost({ made, accounts, tabs, isDamaged }: OfflineWorld): void {
  if (isDamaged) return
  const done = new Set(accounts.flatMap(({ server }) => server.done.map(({ key }) => key)))
  const left = tabs.flatMap(({ store }) => store.outbox.getSnapshot())
  // Its creation may have been sent so often without an answer that it was refused, though it was done.
  const refused = new Set(left.flatMap(({ id, status }) => (status === 'refused' ? id : [])))
  for (const { args, error } of left) {
    const [, id = ''] = /optimistic:([\w-]+)/.exec(text(args)) ?? []
    const creation = made.get(id)
    if (
      error?.name !== 'CreationError' ||
      creation === undefined ||
      refused.has(id) ||
      creation.isExcused ||
      creation.isLater ||
      creation.isUnknown ||
      creation.isSilent
    )
      continue
    must(!done.has(id), () => `${text(args)} was refused, though its row was created`)
  }
}

/** Everything that a page has is shown, so that it asks for what is stale, also if it has been refused a while ago. */
async function show(world: OfflineWorld, tab: Tab): Promise<void> {
  await world.device.advance(1_000)
  const { controller, app, watched } = tab
  const { rows, lists } = shownBy(tab, baseOf(tab).rows.keys())
  for (const id of rows.keys()) watched.push(controller.watch(app.get, { id: Number(id) }).subscribe(() => {}))
  for (const list of lists.keys()) watched.push(controller.watch(app.getList, { list }).subscribe(() => {}))
  await rest(world)
}

/** Everything that a page has is asked for again. */
async function refresh(world: OfflineWorld, tab: Tab): Promise<void> {
  const { controller, app } = tab
  const quietly = (promise: Promise<unknown>): void => void promise.catch(() => {})
  for (const list of LISTS) quietly(controller.fetch(app.getList, { list }))
  for (const id of baseOf(tab).rows.keys()) quietly(controller.fetch(app.get, { id }))
  await rest(world)
}

/**
 * A page has each row in the list that the row names, unless it knows that it has to ask for the list, and in no other.
 * Nobody hears when the server gets to a mutation that was given up on its way: of two reads from around that moment, the
 * later one may be the older one. So may be a read that tells of somebody else's row.
 */
function checkPlaces({ made, mayHaveMoved, program }: OfflineWorld, tab: Tab): void {
  const { rows, lists } = baseOf(tab)
  const unheard = new Set(
    tab.account.server.done.flatMap(({ id, key = '' }) => {
      const { isExcused = false, isDoneLate = false } = made.get(key) ?? {}
      return isExcused || isDoneLate ? `${id}` : []
    }),
  )
  const stale = outOfDate(tab)
  const hasOthers = program.commands.some((one) => OTHERS.includes(one.do))
  for (const [list, members] of lists) {
    for (const [id, row] of rows) {
      if (row === undefined || unheard.has(id) || isStale(tab, id)) continue
      if (stale.has(list) && (row.list === list || mayHaveMoved.has(id))) continue
      if (hasOthers && row.list === list && mayLack(tab, id, list)) continue
      const isIn = members.includes(id)
      must(
        isIn === (row.list === list),
        () => `${id} of the list ${row.list} is ${isIn ? '' : 'not '}in ${list}: ${members}`,
      )
    }
  }
}

/**
 * True if a row is known from an earlier request than the list, or only from reads and the list does not know who belongs
 * to it.
 */
function mayLack({ controller, hasKeptLists }: Tab, id: string, list: string): boolean {
  const { table } = hostOf(controller).runtime.store
  const lists = [...table.lists.values()].flatMap((kind) => [...kind.rows.values()])
  const { read } = lists.find((one) => listOf(one.value) === list) ?? {}
  const row = table.kinds.get('Task')?.rows.get(id)
  return (!hasKeptLists && row?.mutated === undefined) || changedAt(row) < (read?.start ?? 0)
}

function isStale({ controller }: Tab, id: string): boolean {
  const { marks, read } = hostOf(controller).runtime.store.table.kinds.get('Task')?.rows.get(id) ?? {}
  return (marks?.stale ?? 0) > (read?.start ?? 0)
}

/** A page shows what the server has: of the rows and lists that it knows. */
function checkEqual(world: OfflineWorld, tab: Tab, except: ReadonlySet<string> = new Set()): void {
  const { made } = world
  const { server } = tab.account
  const base = baseOf(tab)
  const left = new Set(tab.store.outbox.getSnapshot().map(({ id }) => id))
  const { rows, lists } = shownBy(tab, base.rows.keys())
  for (const [id, fields] of rows) {
    if (fields === undefined) continue
    const task = server.tasks.get(Number(id))
    // Nobody tells that somebody else has deleted a row, or a request that was given up, or of an earlier page that counts
    // as refused; nor does a page of another version, whose rows are not read here.
    const isHeard = ({ key = '' }: { key: string | undefined }): boolean => {
      const { isExcused = true, toldTo } = made.get(key) ?? {}
      return !left.has(key) && !isExcused && toldTo === tab.version
    }
    if (task === undefined && server.done.some((one) => one.id === Number(id) && !isHeard(one))) continue
    if (task === undefined && (isCrossed(made, server, Number(id)) || isContested(world, tab, id))) continue
    if (hasNoOrder(world) && isStale(tab, id)) continue
    // A mutation whose refusal was damaged is sent again, when a page of another version may have asked for everything.
    const isAgain = ({ id: of, key = '' }: KeyedServer['done'][number]): boolean =>
      of === Number(id) && (made.get(key)?.toldTo ?? tab.version) !== tab.version
    if (world.isDamaged && server.done.some(isAgain)) continue
    const { title, note, list } = task ?? {}
    must(text(fields) === text({ title, note, list }), () => `${id} is ${cut(fields)}, the server has ${cut(task)}`)
  }
  for (const [list, members] of lists) {
    if (except.has(list)) continue
    const there = server.list(list).map(({ id }) => `${id}`)
    must(text(members.toSorted()) === text(there.toSorted()), () => `the list ${list} is ${members}, not ${there}`)
  }
}

/**
 * True if a row was deleted before its creation was answered, since a list had told of it: pages cannot know which of
 * the two came last.
 */
function isCrossed(made: OfflineWorld['made'], { done }: KeyedServer, id: number): boolean {
  const told = done.filter((one) => one.id === id).map(({ key = '' }) => made.get(key)?.toldAt ?? 0)
  return Number(told[0]) > Number(told.at(-1))
}

/**
 * True if pages have sent what a full disk had no room for: none can tell the others what was made before it, so they ask.
 */
function hasNoOrder({ wasFull, program: { traits } }: OfflineWorld): boolean {
  return wasFull && traits.tabs > 1
}

/**
 * True if pages that cannot wait for each other have sent a change of a row beside its deletion, and this one knows
 * that only the server can tell which came last.
 */
function isContested({ program: { traits } }: OfflineWorld, { controller }: Tab, id: string): boolean {
  const { marks, read } = hostOf(controller).runtime.store.table.kinds.get('Task')?.rows.get(id) ?? {}
  return traits.tabs > 1 && !traits.hasLocks && (marks?.contested ?? 0) > (read?.start ?? 0)
}

/**
 * The lists of a page that are to be asked for again by whoever shows them: a summary of the log tells that a creation
 * is over, and has no room for a long answer; or a row is crossed.
 */
function outOfDate({ controller }: Tab): ReadonlySet<string> {
  const rows = [...hostOf(controller).runtime.store.table.lists.values()].flatMap((kind) => [...kind.rows.values()])
  const isMarked = ({ marks, read }: ListNode): boolean => (marks?.stale ?? 0) > (read?.start ?? 0)
  return new Set(rows.filter(isMarked).flatMap((row) => listOf(row.value) ?? []))
}

/** What a page shows is there when it is opened again, without the server. */
async function checkRestored(world: OfflineWorld, account: Account): Promise<void> {
  const own = world.tabs.filter((tab) => tab.account === account)
  for (const { store } of own) void store.flush()
  await settle()
  const [tab] = own
  if (tab === undefined) return
  const { rows, lists } = shownBy(tab, baseOf(tab).rows.keys())
  const again = await world.openTab(account.user, tab.version)
  await settle()
  const restored = shownBy(again, baseOf(again).rows.keys())
  const { server, secretRows, secretLists } = account
  const mayLack = account.isForgotten || account.isMixed || world.isDamaged
  for (const [id, fields] of rows) {
    const is = restored.rows.get(id)
    // Of a row that came with no-store, the log has what any page was told without that, if anything; what it was not
    // told shows as empty.
    const had = (): boolean =>
      is === undefined || TASK_FIELDS.every((field) => !is[field] || server.hasHad(Number(id), field, is[field]))
    // The last word that the log has of it may be its deletion, of which this page has not heard if another one had
    // discarded it.
    const isDiscarded = server.done.some((one) => one.id === Number(id) && world.made.get(one.key ?? '')?.isExcused)
    if (is === undefined && !server.tasks.has(Number(id)) && (isDiscarded || isContested(world, tab, id))) continue
    if (hasNoOrder(world) && isStale(again, id)) continue
    // Of two mutations whose order it cannot know, the page shows its own until the server tells; the log has the last one
    // that was stored. Nobody tells which state somebody else has deleted.
    const isDeleted = server.done.some((one) => one.id === Number(id) && one.version === Infinity && !one.key)
    if (is !== undefined && had() && (isStale(tab, id) || isDeleted)) continue
    must(
      mayLack || text(is) === text(fields) || (secretRows.has(Number(id)) && had()),
      () => `${id} was ${cut(fields)}, and is ${cut(is)} after a restart`,
    )
  }
  const stale = outOfDate(again)
  for (const [list, members] of lists) {
    const is = restored.lists.get(list)
    // Two pages have stored it without knowing of each other.
    if (stale.has(list)) continue
    // A list is not there without its rows.
    const wasIn = (id: number): boolean => server.hasHad(id, 'list', list)
    const mayBeOlder = secretLists.has(list) || [...secretRows].some(wasIn)
    must(
      mayLack || text(is) === text(members) || (mayBeOlder && (is ?? []).every((id) => wasIn(Number(id)))),
      () => `the list ${list} was ${members}, and is ${is} after a restart`,
    )
  }
  // A logout that found no room has deleted the log with what was refused: only the pages that have refused it still
  // know of it.
  const isEmptied = account.isForgotten && world.wasFull
  if (world.isDamaged || account.forgetting > 0 || isEmptied) {
    again.page.end()
    return
  }
  // One that was sent again was behind another one only while this page was there.
  const left = (one: Tab): string =>
    text(
      one.store.outbox
        .getSnapshot()
        .map(({ id }) => id)
        .sort(),
    )
  must(left(tab) === left(again), () => `of the outbox ${left(again)} is left after a restart, of ${left(tab)}`)
  must(!world.open.some((request) => request.tab === again && request.asked.method !== 'GET'), 'sent at a restart')
  again.page.end()
}

/**
 * Nobody but this client has changed anything, and its pages may know of all that: who shows what is stale asks for it,
 * and shows what the server has then. Pages do not read what others of another version have stored, a full disk stores
 * nothing, an empty answer brings no more of a row than was sent, and what the server does after it was given up is heard
 * by nobody.
 */
function mayKnow({ wasFull, hasUnheard, made, program: { commands, traits } }: OfflineWorld): boolean {
  if (wasFull || hasUnheard || (traits.tabs > 1 && !traits.hasLocks)) return false
  // A page that ends may not have stored what no outbox knows of.
  if (commands.some((one) => one.do === 'outside') && commands.some((one) => 'fate' in one)) return false
  if ([...made.values()].some(({ isDoneLate }) => isDoneLate)) return false
  return !commands.some(
    (one) =>
      OTHERS.includes(one.do) ||
      (one.do === 'deliver' && (one.fault === 'no-store' || one.fault === 'empty')) ||
      ('version' in one && one.version !== 0),
  )
}

/** Each record has the rows of a change beside the lists: all could be stored, and every page reads it. */
function tellsAll({ wasFull, hasUnheard, isDamaged, program: { commands, traits } }: OfflineWorld): boolean {
  if (wasFull || hasUnheard || isDamaged || (traits.tabs > 1 && !traits.hasLocks)) return false
  // A page that ends may not have stored what no outbox knows of.
  const hasOutside = commands.some((one) => one.do === 'outside')
  return !commands.some(
    (one) =>
      // A list lacks such a row, which is there as long as nobody asks for it.
      one.do === 'delete elsewhere' ||
      (one.do === 'deliver' && (one.fault === 'no-store' || one.fault === 'empty')) ||
      ('version' in one && one.version !== 0) ||
      ('fate' in one && (hasOutside || one.fate !== 'whole')),
  )
}

/** Nobody but this client has changed anything, and it has heard of all that. */
function isAlone({ made, accounts, wasFull, program: { commands, traits } }: OfflineWorld): boolean {
  // What was done after it was refused is heard by nobody. What a full disk has not stored, or a page finds in a summary,
  // is told with its rows alone, which pages of another version do not read.
  const isLeftOut = wasFull || traits.isBulky || commands.some((one) => one.do === 'freeze')
  const isUntold = isLeftOut && accounts.some(({ isMixed }) => isMixed)
  if (isUntold || [...made.values()].some(({ isDoneLate }) => isDoneLate)) return false
  return !commands.some(
    (one) =>
      OTHERS.includes(one.do) ||
      (one.do === 'deliver' && one.fault !== 'none') ||
      'fate' in one ||
      // What waited until then in a page that has slept is sent after it, and may have been seen before it.
      one.do === 'outside',
  )
}
