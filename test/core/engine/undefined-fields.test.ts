import { Controller, Entity, resource } from '@roundtable/core'
import { expect, test } from 'vitest'

class Order extends Entity {
  static override key = 'Order'
  id = 0
  status: string | undefined = 'open'
  note = ''
}

const OrderResource = resource({
  urlPrefix: 'https://api.test',
  path: '/orders/:id',
  schema: Order,
  searchParams: {} as { status?: string } | undefined,
  optimistic: true,
})

/** A server that answers with no content, as if it had nothing to add to the request. */
function open() {
  const controller = new Controller({ transport: async () => new Response(null, { status: 204 }) })
  controller.setResponse(OrderResource.getList, { status: 'paid' }, [{ id: 1, status: 'paid', note: '' }])
  return {
    controller,
    ids: () => controller.getResponse(OrderResource.getList, { status: 'paid' }).data?.map(({ id }) => id),
  }
}

test.each(['partialUpdate', 'move'] as const)(
  '%s: an undefined field is not sent, so the row keeps its value',
  async (verb) => {
    const { controller, ids } = open()
    const endpoint = verb === 'move' ? OrderResource.getList.move : OrderResource.partialUpdate
    const saved = controller.fetch(endpoint, { id: 1 }, { status: undefined, note: 'urgent' })
    const shown = () => controller.get(Order, { id: 1 })
    expect([shown()?.status, shown()?.note, ids()]).toEqual(['paid', 'urgent', [1]])
    await saved
    expect([shown()?.status, shown()?.note, ids()]).toEqual(['paid', 'urgent', [1]])
    controller.dispose()
  },
)

test('a creation shows the default of an undefined field until the server responds', async () => {
  const { controller } = open()
  controller.setResponse(OrderResource.getList, {}, [])
  const created = controller.fetch(OrderResource.create, { status: undefined, note: 'new' })
  expect(controller.getResponse(OrderResource.getList, {}).data?.map(({ status, note }) => [status, note])).toEqual([
    ['open', 'new'],
  ])
  await created.catch(() => {})
  controller.dispose()
})
