import type { Registry } from '../client/registry.js'
import type { Store } from '../engine/store.js'
import { hydrationOf } from '../hydration/hydration.js'
import { readState } from '../hydration/read-state.js'
import type { MarkTuple } from '../hydration/state.js'
import type { Kind } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { LogRecord } from './log.js'
import { type Content, decode } from './record.js'
import { StorageError } from './storage-error.js'
import { summarize } from './summary.js'

/** Returns what records say. A damaged one costs itself only. */
export function contentsOf(records: readonly LogRecord[], report: (error: StorageError) => void): readonly Content[] {
  const contents: Content[] = []
  for (const record of records) {
    try {
      contents.push(decode(record))
    } catch (error) {
      // `decode` throws nothing else.
      report(error as StorageError)
    }
  }
  return contents
}

/** Writes what was stored into a controller's store, as a read that started before all else. */
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
  const isOne = contents.length === 1 && first?.version === version && !first.isReset && !first.keys?.length
  const { state } = isOne && !first.marks?.length ? first : summarize(contents, version)
  if (state === undefined) return
  const dated = isOne ? { ...state, madeAt: first.at } : state
  const read = () => readState(dated, '')
  const infos = hydrationOf(host).add(dated, { read, age: 0, since: 0, isRendering: false, isStored: true })
  const { store } = host.runtime
  store.batch(() => {
    for (const mark of dated.marks ?? []) addMark(store, mark, infos)
  })
}

/** What depends on the row or the kind, and is older than the response, is out of date, or not shown. */
function addMark(store: Store, [key, pk, response, isInvalid]: MarkTuple, infos: readonly ResponseInfo[]): void {
  const by = infos[response]?.start ?? 0
  const { table } = store
  const kind = (table.lists.get(key) ?? table.kind(key)) as Kind
  if (pk === null) store.markKind(kind, isInvalid ? 'invalid' : 'stale', by)
  else store.commit(isInvalid ? { invalid: [kind.row(pk)], by } : { stale: [kind.row(pk)], by })
}

function isWhole({ state }: Content, report: (error: StorageError) => void): boolean {
  try {
    if (state !== undefined) readState(state, '')
    return true
  } catch (cause) {
    report(new StorageError('has a damaged record, which was left out', { cause }))
    return false
  }
}
