import { Collection, Controller, Endpoint, Entity, Invalidate, pagesOf, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { memoryLog, type OfflineLog, offline } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { rest } from './todo-server.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  isDone = false
}

/** A server with pages of two rows, selected by an offset. */
function openServer() {
  const rows = [...'abcdefgh'].map((id) => ({ id }))
  const asked: number[] = []
  const getItems = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/items',
    searchParams: {} as object | undefined,
    paginationField: 'offset',
    dataExpiryLength: 60_000,
    schema: new Collection([Item]),
    fetchResponse: async (url, { method, body }) => {
      if (method === 'POST') {
        rows.push(JSON.parse(String(body)))
        return Response.json(rows.at(-1))
      }
      const from = Number(new URL(String(url)).searchParams.get('offset') ?? 0)
      asked.push(from)
      return Response.json(rows.slice(from, from + 2))
    },
  })
  const remove = new Endpoint(
    async ({ id }: { id: string }) => {
      drop(id)
      return { id }
    },
    { name: 'remove', schema: new Invalidate(Item), sideEffect: true },
  )
  const drop = (id: string) => void rows.splice(rows.map((row) => row.id).indexOf(id), 1)
  const leave = async (controller: Controller, id: string) => {
    drop(id)
    controller.set(Item, { id }, { id, isDone: true })
  }
  const takeOut = async (controller: Controller, list: typeof getItems, id: string) => {
    drop(id)
    await controller.fetch(list.remove.extend({ fetch: async () => ({}) as never }), {}, { id })
  }
  const getOpen = getItems.extend({ schema: new Collection([Item], { belongs: ({ isDone }) => !isDone }) })
  return { rows, asked, getItems, getOpen, remove, leave, takeOut }
}
type Server = ReturnType<typeof openServer>
type List = Server['getItems']

/** Changes of the list while it is shown. */
const CHANGES: Record<string, (controller: Controller, list: List, server: Server) => Promise<unknown>> = {
  'rows were created': async (controller, list) => {
    for (const id of 'xy') await controller.fetch(list.push, {}, { id })
  },
  'a row was deleted': (controller, _, { remove }) => controller.fetch(remove, { id: 'b' }),
  'a row left by `belongs`': (controller, _, { leave }) => leave(controller, 'b'),
  'a row was taken out': (controller, list, { takeOut }) => takeOut(controller, list, 'b'),
  'one was created, one deleted': async (controller, list, { remove }) => {
    await controller.fetch(list.push, {}, { id: 'x' })
    await controller.fetch(remove, { id: 'b' })
  },
  'one was created, and the list refreshed': async (controller, list) => {
    await controller.fetch(list.push, {}, { id: 'x' })
    await pagesOf(controller, list).refetch()
  },
  'a row was deleted before the last page was loaded': async (controller, list, { remove }) => {
    await controller.fetch(remove, { id: 'b' })
    await pagesOf(controller, list).fetchNext()
  },
  'a row left by `belongs` before the last page was loaded': async (controller, list, { leave }) => {
    await leave(controller, 'b')
    await pagesOf(controller, list).fetchNext()
  },
  'a row was taken out before the last page was loaded': async (controller, list, { takeOut }) => {
    await takeOut(controller, list, 'b')
    await pagesOf(controller, list).fetchNext()
  },
}

interface Device {
  readonly controller: Controller
  readonly disk: OfflineLog
  readonly store: ReturnType<typeof offline>
}

async function start(disk: OfflineLog = memoryLog()): Promise<Device> {
  const store = offline({ log: disk })
  const controller = new Controller({ managers: [store] })
  await store.ready
  return { controller, disk, store }
}

async function restart({ controller, disk, store }: Device): Promise<Device> {
  await store.flush()
  controller.dispose()
  return start(disk)
}

const MOVES: Record<string, (device: Device) => Promise<Controller>> = {
  'two restarts': async (device) => (await restart(await restart(device))).controller,
  hydration: async ({ controller }) => hydrate(new Controller(), JSON.stringify(dehydrate(controller))),
}

/** Returns the requested offsets and the members of a list that is loaded to its end after a change and a move. */
async function loadedAll(
  name: 'getItems' | 'getOpen',
  pages: number,
  change: string,
  move = async ({ controller }: Device) => controller,
) {
  const server = openServer()
  const list = server[name]
  const device = await start()
  const shown = async (controller: Controller) => {
    const query = pagesOf(controller, list)
    query.subscribe(() => {})
    await rest()
    const ids = () => query.getSnapshot().data?.map(({ id }) => id)
    return { query, ids }
  }
  const before = await shown(device.controller)
  if (pages === 2) await before.query.fetchNext()
  await CHANGES[change]?.(device.controller, list, server)
  await rest()
  const ids = before.ids()
  const controller = await move(device)
  const after = await shown(controller)
  expect(after.ids()).toEqual(ids)
  // It is on the second page.
  await controller.fetch(server.remove, { id: 'd' })
  while (after.query.getSnapshot().hasNext) await after.query.fetchNext()
  return { asked: server.asked.join(), ids: after.ids()?.join(''), rows: server.rows.map(({ id }) => id).join('') }
}

describe.each(Object.keys(CHANGES))('%s', (change) => {
  test.each(Object.keys(MOVES))('after %s, the next page is requested by the same offset', async (move) => {
    for (const name of ['getItems', 'getOpen'] as const) {
      for (const pages of [1, 2]) {
        const expected = await loadedAll(name, pages, change)
        expect(await loadedAll(name, pages, change, MOVES[move])).toEqual(expected)
      }
    }
  })
})

test('after restarts no row between the loaded pages and created ones is skipped', async () => {
  const { asked, ids, rows } = await loadedAll('getItems', 1, 'rows were created', MOVES['two restarts'])
  expect(asked).toBe('0,2,4,6,8,9')
  expect([...(ids ?? '')].sort().join('')).toBe(rows)
})
