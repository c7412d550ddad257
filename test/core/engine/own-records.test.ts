import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  MissingPkError,
  type NormalizeContext,
  type ReadEndpoint,
  transfer,
  Union,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { Retention } from '../../../core/src/engine/retention.js'
import { Store } from '../../../core/src/engine/store.js'
import { normalizeInput } from '../../../core/src/normalize/visit.js'
import { addDependent } from '../../../core/src/table/graph.js'
import { REMOVED } from '../../../core/src/table/row.js'
import { HandClock } from './clock.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
  tags: string[] = []
}

type Data = Readonly<Record<string, unknown>>

function controller(): Controller {
  return new Controller({ env: new HandClock() })
}

/** An endpoint of any schema, for responses that are passed in. */
function responses(name: string, schema: unknown, more: object = {}): ReadEndpoint {
  // Schemas of these tests are of all kinds, and so are their responses.
  return new Endpoint(async () => ({}), { name, schema, ...more } as never) as unknown as ReadEndpoint
}

function give(to: Controller, endpoint: ReadEndpoint, data: unknown): void {
  // As with schemas.
  const set = to.setResponse.bind(to) as (endpoint: ReadEndpoint, data: unknown) => void
  set(endpoint, data)
}

describe("a value that is no part of a transferred response stays its owner's", () => {
  test('a value that `process` adds', () => {
    const shared = { id: 'me', name: 'Me', tags: ['a'] }
    class Post extends Entity {
      static override key = 'Post'
      static override schema = { author: User }
      static override process(input: Data): Data {
        return { ...input, author: shared }
      }
      id = ''
      author: User | undefined = undefined
    }
    const here = controller()
    give(here, responses('post', Post), transfer({ id: '1' }))
    expect(Object.isFrozen(shared)).toBe(false)
    shared.tags.push('late')
    expect(here.get(User, { id: 'me' })?.tags).toEqual(['a'])
  })

  test('a value that a schema of the application passes on', () => {
    const cache = { id: 'me', name: 'Me', tags: ['a'] }
    const schema = {
      normalize: (_: unknown, context: NormalizeContext, parent: unknown) => context.visit(User, cache, parent, 'me'),
      denormalize: () => undefined,
    }
    give(controller(), responses('custom', schema), transfer({}))
    expect(Object.isFrozen(cache)).toBe(false)
  })

  test('and a `process` that writes into the object around its input still may', () => {
    class Sum extends Entity {
      static override key = 'Sum'
      static override process(input: Data, parent: unknown): Data {
        for (const row of (parent as { rows: { total?: number }[] }).rows) row.total = 3
        return input
      }
      id = ''
    }
    const here = controller()
    give(here, responses('sums', { rows: [User], sum: Sum }), transfer({ rows: [{ id: '2' }], sum: { id: '1' } }))
    expect(here.get(Sum, { id: '1' })?.id).toBe('1')
  })
})

describe("a value that stays with the caller is never the table's", () => {
  class Money {
    readonly amount: number
    constructor(value: { amount: number }) {
      this.amount = value.amount
    }
  }

  test('inside arrays and objects of deserializers', () => {
    class Item extends Entity {
      static override key = 'Item'
      static override schema = { prices: [Money], best: { price: Money }, facets: '' }
      id = ''
      prices: Money[] = []
      best: { price: Money } | undefined = undefined
      facets: object | undefined = undefined
    }
    const here = controller()
    const item = responses('item', Item)
    const data = { id: '1', prices: [{ amount: 1 }], best: { price: { amount: 1 } }, facets: { a: 1 } }
    give(here, item, data)
    here.get(Item, { id: '1' })
    for (const price of [...data.prices, data.best.price]) price.amount = 2
    data.facets.a = 2
    give(here, item, data)
    const shown = here.get(Item, { id: '1' })
    expect([shown?.prices[0]?.amount, shown?.best?.price.amount, shown?.facets]).toEqual([2, 2, { a: 2 }])
  })

  test('in what a Union does not know', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const here = controller()
    const robot = { id: '1', type: 'robot', parts: ['arm'] }
    const any = responses('any', new Union({ user: User }, (value: Data) => value.type as 'user'))
    give(here, any, robot)
    robot.parts.push('late')
    const read = here.watch.bind(here) as (endpoint: ReadEndpoint) => { getSnapshot(): { readonly data: unknown } }
    expect(read(any).getSnapshot().data).toEqual({ id: '1', type: 'robot', parts: ['arm'] })
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('in what a class merges optimistically', async () => {
    class Note extends Entity {
      static override key = 'Note'
      static override merge(existing: Data, incoming: Data): Data {
        return { ...existing, ...incoming }
      }
      id = ''
      tags: string[] = []
    }
    const tags = ['mine']
    const here = controller()
    give(here, responses('note', Note), { id: '1', tags: ['old'] })
    const save = new Endpoint(() => new Promise<unknown>(() => {}), {
      name: 'save',
      schema: Note,
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '1', tags }),
    })
    here.fetch(save).catch(() => {})
    expect(here.get(Note, { id: '1' })?.tags).toEqual(['mine'])
    tags.push('late')
    expect(here.get(Note, { id: '1' })?.tags).toEqual(['mine'])
    here.dispose()
  })

  test('where the row was deleted while its response was being read', () => {
    const here = controller()
    give(here, responses('user', User), { id: '1', tags: ['a'] })
    const update = (): object => {
      give(here, responses('gone', new Invalidate(User)), '1')
      return {}
    }
    const data = { id: '1', tags: ['b'] }
    give(here, responses('again', User, { update }), data)
    data.tags.push('late')
    expect(here.get(User, { id: '1' })?.tags).toEqual(['b'])
  })
})

describe('classes that merge by themselves', () => {
  test('get the payload, not the stored row', () => {
    class Seen extends Entity {
      static override key = 'Seen'
      static override merge(existing: Data, incoming: Record<string, unknown>): Data {
        incoming.seen = Number(existing.seen ?? 0) + 1
        return incoming
      }
      id = ''
      seen = 0
    }
    const here = controller()
    const endpoint = responses('seen', Seen)
    give(here, endpoint, { id: '1', seen: 0 })
    give(here, endpoint, { id: '1', seen: 0 })
    expect(here.get(Seen, { id: '1' })?.seen).toBe(1)
    give(here, endpoint, { id: '1', seen: 1 })
    expect(here.get(Seen, { id: '1' })?.seen).toBe(2)
  })

  test('merge also the record that another class of the key wrote first', () => {
    class Plain extends Entity {
      static override key = 'Log'
      id = ''
      log: string[] = []
    }
    class Log extends Plain {
      static override merge(existing: Data, incoming: Data): Data {
        return { ...existing, ...incoming, log: [existing.log, incoming.log].flat() }
      }
    }
    const here = controller()
    give(here, responses('first', Log), { id: '1', log: ['a'] })
    give(here, responses('both', { plain: Plain, log: Log }), {
      plain: { id: '1', log: ['b'] },
      log: { id: '1', log: ['c'] },
    })
    expect(here.get(Log, { id: '1' })?.log).toEqual(['a', 'b', 'c'])
  })

  test('may turn a relation into something else', () => {
    class Team extends Entity {
      static override key = 'Team'
      static override schema = { users: [User] }
      static override merge(existing: Data, incoming: Data): Data {
        return { ...existing, ...incoming, users: 'hidden' }
      }
      id = ''
      users: unknown = []
    }
    const here = controller()
    const endpoint = responses('team', Team)
    give(here, endpoint, { id: '1', users: [{ id: '5' }] })
    give(here, endpoint, { id: '1', users: [{ id: '6' }] })
    expect(here.get(Team, { id: '1' })?.users).toBe('hidden')
  })
})

test('a class that gets its schema late is shown by it, also where another one leads to it', () => {
  class Leaf extends Entity {
    static override key = 'Leaf'
    static override schema: { user?: typeof User } = {}
    id = ''
    user: User | string | undefined = undefined
  }
  class Tree extends Entity {
    static override key = 'Tree'
    static override schema = { leaf: Leaf, by: User }
    id = ''
    leaf: Leaf | undefined = undefined
    by: User | undefined = undefined
  }
  const here = controller()
  give(here, responses('user', User), { id: '5', name: 'Bob' })
  give(here, responses('tree', Tree), { id: '1', by: '5', leaf: { id: '2', user: '5' } })
  here.get(Tree, { id: '1' })
  Leaf.schema = { user: User }
  here.set(User, { id: '5' }, { name: 'Rob' })
  expect(here.get(Tree, { id: '1' })?.leaf?.user).toMatchObject({ name: 'Rob' })
})

test('a response does not claim a field that it did not carry', async () => {
  class Wheel extends Entity {
    static override key = 'Wheel'
    static override process(input: Data): Data | undefined {
      return 'bad' in input ? undefined : input
    }
    id = ''
  }
  class Van extends Entity {
    static override key = 'Van'
    static override schema = { wheel: Wheel }
    id = ''
    x = 0
    wheel: Wheel | undefined = undefined
  }
  let land = (_: unknown): void => {}
  const slow = new Endpoint(() => new Promise<unknown>((resolve) => (land = resolve)), { name: 'slow', schema: Van })
  const here = controller()
  give(here, responses('van', Van), { id: '1', x: 0 })
  const waiting = here.fetch(slow)
  give(here, responses('other', Van), { id: '1', wheel: { bad: true } })
  land({ id: '1', x: 1 })
  await waiting
  expect(here.get(Van, { id: '1' })?.x).toBe(1)
})

test('a schema may catch an error of a part of its input, and the rest is stored where it belongs', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema = { who: User }
    id = ''
    who: User | undefined = undefined
  }
  const users = new Collection([User])
  const tolerant = {
    normalize(input: unknown, context: NormalizeContext, parent: unknown) {
      try {
        return context.visit(Board, input, parent, 'board')
      } catch {
        return undefined
      }
    },
    denormalize: () => undefined,
  }
  const here = controller()
  give(here, responses('page', { board: tolerant, users }), { board: { id: '1', who: {} }, users: [{ id: '5' }] })
  expect(here.get(users)).toMatchObject([{ id: '5' }])
})

test('an error that a schema caught is not in the path of the next error', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema = { who: User }
    id = ''
    who: User | undefined = undefined
  }
  const schema = {
    normalize(input: { board: unknown; other: unknown }, context: NormalizeContext) {
      try {
        context.visit(Board, input.board, input, 'board')
      } catch {}
      return context.visit(Board, input.other, input, 'other')
    },
    denormalize: () => undefined,
  }
  const page = { page: { board: { id: '1', who: {} }, other: { id: '2', who: {} } } }
  expect(() => give(controller(), responses('page', { page: schema }), page)).toThrow(/\$\.page\.other\.who/)
})

test('a failed create does not let later entities be created without a key', () => {
  const schema = {
    normalize(_: unknown, context: NormalizeContext, parent: unknown) {
      try {
        context.create(User, [], parent, 'bad')
      } catch {}
      return context.visit(User, { name: 'Ann' }, parent, 'good')
    },
    denormalize: () => undefined,
  }
  const { table, infos, views, base } = emptyStore()
  const options = { table, infos, views, args: [], valueOf: base, placeholder: 'new' }
  expect(() => normalizeInput(schema, {}, options)).toThrow(MissingPkError)
})

function emptyStore(): Store {
  return new Store(
    () => {},
    () => {},
  )
}

describe('a row that was collected', () => {
  test('is a new row when it is fetched again', () => {
    const kind = emptyStore().table.kind('User')
    const [first, second] = [kind.row('1'), kind.row('2')]
    expect(first.nextHint).toBe(second)
    kind.drop(second)
    expect(kind.row('2')).not.toBe(second)
    kind.row('1')
    expect(kind.row('2')).toBe(kind.rows.get('2'))
  })

  test('is not kept in memory by the row that was fetched before it', async () => {
    const clock = new HandClock()
    const store = emptyStore()
    const kind = store.table.kind('User')
    const [first, second] = [kind.row('1'), kind.row('2')]
    // Somebody shows the first.
    addDependent(
      first,
      store.resultView(undefined, User, [{ id: '1' }], () => {}),
    )
    const holders = { observers: new Map(), runtime: { network: { flightOf: () => undefined } } }
    const retention = new Retention({ env: clock, store, users: holders, after: 1_000 })
    retention.scheduleSweep()
    await clock.advance(5_000)
    expect([...kind.rows.values()]).toEqual([first])
    expect(second.gcEpoch).toBe(REMOVED)
    expect(first.nextHint).toBeUndefined()
    retention.dispose()
  })
})
