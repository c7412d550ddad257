import { Collection, Entity, RestEndpoint, resource, type Snapshot, scope } from '@roundtable/core'
import { withHttp } from '@roundtable/core/http'
import type { OfflineProgram } from './offline-program.js'

/**
 * How a version of the application sees its tasks: it adds a field to each, by which rows of another version can be
 * told.
 */
function taskOf(madeBy: number, hasVersions: boolean) {
  class Task extends Entity {
    static override key = 'Task'
    id: number | string = 0
    title = ''
    note = ''
    list = ''
    version = 0
    /** What only answers with `no-store` have. */
    secret = ''
    madeBy = -1
    static override process(input: object) {
      return { ...input, madeBy }
    }
  }
  if (!hasVersions) return Task
  return class VersionedTask extends Task {
    static override shouldUpdate(_: unknown, __: unknown, existing: Versioned, incoming: Versioned): boolean {
      return Number(incoming.version ?? Infinity) >= Number(existing.version ?? 0)
    }
  } as typeof Task
}

interface Versioned {
  readonly version?: unknown
}

/** A task as an application shows it. */
export type Task = InstanceType<ReturnType<typeof taskOf>>

/** The header of mutations that are not of the outbox. */
export const OUTSIDE = 'x-outside'

const KEPT = { belongs: (row: { list?: string }, args: { list?: string }) => row.list === args.list }

/** A Collection that knows who belongs to its lists. */
class KeptCollection extends Collection<[ReturnType<typeof taskOf>]> {
  constructor(members: [ReturnType<typeof taskOf>], options: object | undefined) {
    super(members, { ...options, ...KEPT } as never)
  }
}

const apps = new Map<string, App>()

/** The application of a version: versions share no classes. */
export function appOf(version: number, traits: OfflineProgram['traits']): App {
  const { careful, keptLists, scoped, versioned, dataExpiryLength } = traits
  const name = [version, careful, keptLists, scoped, versioned, dataExpiryLength].join(' ')
  const app = apps.get(name) ?? newApp(version, traits)
  apps.set(name, app)
  return app
}

function newApp(
  version: number,
  { careful, keptLists, scoped, versioned, dataExpiryLength }: OfflineProgram['traits'],
) {
  const Task = taskOf(version, versioned === true)
  const made = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { list?: string },
    optimistic: true,
    dataExpiryLength,
    Endpoint:
      careful === 'no'
        ? RestEndpoint
        : withHttp(RestEndpoint, {
            etag: true,
            ifMatch: 'update',
            ...(careful === 'overwrites' ? { onConflict: () => 'retry' } : undefined),
          }),
    ...(scoped ? { mutationOptions: { scope: scope('row') } } : undefined),
    ...(keptLists ? { Collection: KeptCollection as unknown as typeof Collection } : undefined),
  })
  const { get, getList, create, update, partialUpdate, delete: remove } = made
  const { move } = getList
  // Not of the outbox.
  const outside = {
    requestInit: { headers: { [OUTSIDE]: 'yes' } },
    getOptimisticResponse: (...[{ abort }]: readonly [Snapshot, ...unknown[]]): never => {
      throw abort
    },
  } as const
  const beside = {
    create: create.extend(outside),
    edit: partialUpdate.extend(outside),
    remove: remove.extend(outside),
    move: move.extend(outside),
  }
  const polled = getList.extend({ pollFrequency: 5_000 })
  return { Task, get, getList, polled, create, update, partialUpdate, remove, move, beside }
}

export type App = ReturnType<typeof newApp>
