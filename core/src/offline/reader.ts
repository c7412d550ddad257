import type { Registry } from '../client/registry.js'
import type { Store } from '../engine/store.js'
import { hydrationOf } from '../hydration/hydration.js'
import type { HydrationRequest, Rival } from '../hydration/hydration-request.js'
import { readParts, type StateParts } from '../hydration/read-state.js'
import { type AgeTuple, readMark } from '../hydration/state.js'
import { type Member, pkOfRef } from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { Kind, Row } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { LogRecord } from './log.js'
import { addMoves, differing } from './moved-members.js'
import { type Content, DAMAGED, decode } from './record.js'
import { StorageError } from './storage-error.js'
import { summarize } from './summary.js'
import type { Positions } from './tabs.js'

/** Returns the content of records, without data that is not to be stored any more. Damaged records are skipped. */
export function contentsOf(
  records: readonly LogRecord[],
  report: (error: StorageError) => void,
  include: (name: string) => boolean = () => true,
): readonly Content[] {
  const contents: Content[] = []
  // Each begins with its kind or key.
  const isIncluded = (tuple: readonly [name: string, ...unknown[]]): boolean => include(`${tuple?.[0]}`)
  for (const record of records) {
    try {
      const content = decode(record)
      const state = content.state && {
        ...content.state,
        rows: content.state.rows.filter(isIncluded),
        lists: content.state.lists.filter(isIncluded),
        results: content.state.results.filter(isIncluded),
        moves: (content.state.moves ?? []).filter(isIncluded),
      }
      contents.push({ ...content, state })
    } catch (error) {
      // `decode` throws nothing else.
      report(error as StorageError)
    }
  }
  return contents
}

/** Writes stored data into a controller's store, as a read that started before everything else. */
export function restore(
  host: Registry,
  contents: readonly Content[],
  version: string,
  report: (error: StorageError) => void,
): void {
  try {
    write(host, contents, version)
  } catch {
    const whole = contents.filter((content) => isWhole(content, report))
    write(host, whole, version)
  }
}

function write(host: Registry, contents: readonly Content[], version: string): void {
  const [first] = contents
  const isOne = contents.length === 1 && first?.version === version
  const { state, at } = isOne ? first : summarize(contents, version)
  if (state === undefined) return
  const infos = hydrationOf(host).add(state, requestOf(state, at))
  host.runtime.store.batch(() => {
    for (const [kind, pk, response, isInvalid] of state.marks ?? [])
      markAt(host, kind, pk, isInvalid, infos[response]?.start ?? 0)
  })
}

/** The knowledge of a tab about its own lists. */
export interface OwnLists {
  /** The completion of the last mutation that has moved members here, by the kind of their lists. */
  readonly moved: ReadonlyMap<string, number>
  /** The responses of mutations that can have succeeded only for rows that existed. */
  readonly edits: Pick<WeakSet<object>, 'has'>
  /** True for a list that a mutation has changed since it was read. */
  isChanged(list: Row): boolean
  /** The log has a list or a result that is older than the one here. Returns false if both are equal by now. */
  noteOlder(row: Row, stored: unknown): boolean
}

/** A start before that of all that was there at the start. */
const OLDEST = 2 ** -22

/** Writes data from another tab, as if requested when this tab had reached that point of the log. */
export function follow(
  host: Registry,
  { state, marks = [], keys = [], number = 0, knew = Infinity, at }: Content,
  positions: Positions,
  own: OwnLists,
): void {
  const { store } = host.runtime
  const now = store.sequence.next()
  // Marks from the log are not written again: see `isStoredStart`.
  const by = now + 0.25
  const responses: readonly AgeTuple[] = state?.responses ?? []
  const isNew = ([, response]: readonly [unknown, number, ...unknown[]]): boolean => {
    const [, , , , record = number] = responses[response] ?? []
    return !positions.has(record)
  }
  store.batch(() => {
    for (const [kind, pk, isInvalid] of marks) markAt(host, kind, pk, isInvalid, by)
    for (const [kind, pk, response, isInvalid] of state?.marks ?? [])
      if (isNew([kind, response])) markAt(host, kind, pk, isInvalid, by)
    for (const [key, isInvalid, record = number] of keys)
      if (!positions.has(record)) {
        const severity = isInvalid ? 'invalid' : 'stale'
        host.markAll({ owner: `= ${key}`, severity, at: by, testKey: (of) => of === key })
      }
    if (state === undefined) return
    const { rows, lists, results, moves = [] } = state
    const facts = responses.map(([, , , mark = 0]) => readMark(mark))
    // Rows that a repeated response has written are older than the record that told it first.
    const isFirst = (of: readonly [unknown, number, ...unknown[]]): boolean =>
      isNew(of) && !positions.flights?.isRepeated(facts[of[1]]?.id, knew)
    const news = {
      ...state,
      rows: rows.filter(isFirst),
      lists: lists.filter(isNew),
      results: results.filter(isNew),
    }
    // Its writer had not read all that was there at the start here.
    const oldest = knew < positions.restored ? OLDEST : undefined
    const placeOf: HydrationRequest['placeOf'] = (response) => {
      const [, , since = 0, mutation = 0] = responses[response] ?? []
      const start = positions.flights?.startOf(facts[response]?.id) ?? oldest
      return { since: positions.stoodAt(since), start, done: mutation ? now : 0 }
    }
    const changeOf: HydrationRequest['changeOf'] = (response, info) => {
      const change = new Change()
      change.mayCreate = facts[response]?.mayCreate !== false
      const own = moves.filter((move) => move[1] === response && isNew(move))
      addMoves(host, change, info, { lists: news.lists, moves: own })
      return change
    }
    const rival = rivalOf(host, { by, own, stood: positions.stoodAt(knew) })
    hydrationOf(host).add(news, { ...requestOf(news, at), placeOf, changeOf, rival })
  })
}

/**
 * Decides about lists and results of another tab, most of which are in the store, too. Marks are made at `by`; what had
 * happened here up to `stood`, that tab knew when it wrote them.
 */
function rivalOf(
  host: Registry,
  { by, own, stood }: { readonly by: number; readonly own: OwnLists; readonly stood: number },
): Rival {
  const { store } = host.runtime
  const { table } = store
  return {
    // A member that only one of the two has was changed here, of which that tab did not know when it asked.
    isNewer(row, stored, { start }) {
      const { list, home, read } = row
      const value = list && store.base(list)
      if (!value) return false
      // A list from the log is as it was stored, unless it was changed since: then only changes by this tab count that the
      // other one cannot have applied to the list.
      const isAsStored = read?.isStored && !own.isChanged(row)
      const since = isAsStored ? stood : start
      // An edit changes lists only by `belongs`, or if it moves members.
      const hasMoved = table.lists.get(home.key)?.predicates.has(list) || (own.moved.get(home.key) ?? 0) > since
      const isLater = (info: ResponseInfo | undefined): boolean =>
        info !== undefined &&
        Math.max(info.start, info.done) > since &&
        !(isAsStored && info.isStored) &&
        (hasMoved || !own.edits.has(info))
      const isChanged = (ref: Member): boolean => {
        const entity = home.list?.entityOf(ref)
        const member = entity && table.kind(entity.key).row(pkOfRef(ref))
        return isLater(member?.read) || isLater(member?.mutated)
      }
      return differing(value.members.values(), stored.values()).some(isChanged)
    },
    // The other tab tells it again with the members that were moved here, unless it has ended or does not hear of them.
    onNew(row, info) {
      if ((own.moved.get(row.home.key) ?? 0) > info.start) markQuietly(store, row, 'stale', by)
    },
    // Only the server can decide which of the two is right.
    onOlder(row, stored, isQuiet) {
      if (!own.noteOlder(row, stored)) return
      if (isQuiet) markQuietly(store, row, 'stale', by)
      else store.commit({ stale: [row], by })
    },
  }
}

/** The request to add the data that was stored at one time. */
function requestOf(state: StateParts, madeAt: number): HydrationRequest {
  return { read: () => ({ madeAt, ...readParts(state) }), isStored: true }
}

/** Expires or invalidates older results that depend on the row or the kind. */
function markAt(host: Registry, key: string, pk: string | null, isInvalid: 0 | 1, by: number): void {
  const { store } = host.runtime
  const { table, staleness } = store
  const severity = isInvalid ? 'invalid' : 'stale'
  const markList = (): void => {
    const kind = table.lists.get(key) as Kind
    if (pk === null) staleness.markKind(kind, severity, by)
    else markQuietly(store, kind.row(pk), severity, by)
  }
  if (hydrationOf(host).onceListed(key, markList)) return
  const kind: Kind = table.lists.get(key) ?? table.kind(key)
  if (pk === null) store.markKind(kind, severity, by)
  else store.commit({ [severity]: [kind.row(pk)], by })
}

/** Marks a row that nobody has shown. */
function markQuietly({ staleness }: Store, row: Row, severity: 'stale' | 'invalid', by: number): void {
  row.marks = { stale: 0, invalid: 0, ...row.marks, [severity]: by }
  staleness.noteRows([row])
}

function isWhole({ state }: Content, report: (error: StorageError) => void): boolean {
  try {
    if (state !== undefined) readParts(state)
    return true
  } catch (cause) {
    report(new StorageError(DAMAGED, { cause }))
    return false
  }
}
