import { normalize } from '../normalize/visit.js'
import {
  isEntity,
  isListSchema,
  isMemberChanges,
  type ListSchema,
  type Member,
  pkOfRef,
  type Schema,
} from '../schema/schema.js'
import { Change } from '../table/change.js'
import { baseOf, type Row, TOMBSTONE } from '../table/row.js'
import type { Flight } from './flight.js'
import { placeholderOf, type Store } from './store.js'

/** What an empty answer leaves: values that are known, and rows of which more must be asked. */
export interface EmptyOutcome {
  readonly change: Change | undefined
  readonly stale: readonly Row[]
  /** What the optimistic answer stood for, if it is known by now. */
  readonly result?: unknown
}

/**
 * What a mutation that answered without a body leaves behind: the optimistic values of rows with real keys, as what is known;
 * placeholders go. What stands on the rows that it touched, or that its arguments name, is to be fetched again.
 */
export function keepOptimistic(flight: Flight, store: Store): EmptyOutcome {
  const said = flight.layer?.make({ valueOf: baseOf }) ?? movedByArgs(flight, store)
  if (said === undefined) return { change: undefined, stale: namedRows(flight, store) }
  const isReal = (pk: string): boolean => !pk.startsWith(placeholderOf(flight.start))
  const change = new Change()
  said.rows.forEach((row, i) => {
    if (isReal(row.pk)) change.write(row, said.records[i] ?? TOMBSTONE, said.customs.get(i))
  })
  change.lists.push(...said.lists)
  for (const membership of said.memberships) {
    const kept = membership.members.map((ref) => isReal(pkOfRef(ref)))
    change.memberships.push({
      ...membership,
      matches: (args, record, member) => membership.matches(args, record, member),
      members: membership.members.filter((_, i) => kept[i]),
      keys: membership.keys?.filter((_, i) => kept[i]),
    })
  }
  const moved = said.memberships.flatMap(({ op, list, members }) =>
    op === 'move' ? members.flatMap((ref) => movedRow(ref, list, store) ?? []) : [],
  )
  // Lists that it changed are among what the layer wrote.
  const touched = [...(flight.layer?.writes ?? [])].filter((row) => isReal(row.pk))
  return {
    change,
    stale: [...change.rows, ...moved, ...touched, ...namedRows(flight, store)],
    result: flight.layer !== undefined && said.rows.some(({ pk }) => isReal(pk)) ? said.result : undefined,
  }
}

function movedRow(ref: Member, list: ListSchema, { infos }: Store): Row | undefined {
  const entity = list.entityOf(ref)
  return entity && infos.of(entity).kind.row(pkOfRef(ref))
}

/** What a `move` whose answer says nothing does by what its arguments say; undefined where these name nobody. */
function movedByArgs({ endpoint, args }: Flight, { table, infos }: Store): Change | undefined {
  const { schema } = endpoint
  if (!isMemberChanges(schema) || schema.movesByArgs !== true) return undefined
  try {
    return normalize(schema, null, { table, infos, args, valueOf: baseOf })
  } catch {
    // The server has done it all the same.
    return undefined
  }
}

/** The row or list that a mutation's arguments name. */
function namedRows({ endpoint, args }: Flight, store: Store): Row[] {
  const schema = changedList(endpoint.schema) ?? endpoint.schema
  if (!isEntity(schema) && !isListSchema(schema)) return []
  const pk = store.reader({ valueOf: baseOf }).lookup(schema, args)
  if (typeof pk !== 'string') return []
  return [isEntity(schema) ? store.infos.of(schema).kind.row(pk) : store.table.listKind(schema).row(pk)]
}

/** The Collection whose lists a schema such as `push` changes. */
function changedList(schema: Schema): ListSchema | undefined {
  return isMemberChanges(schema) ? schema.collection : undefined
}
