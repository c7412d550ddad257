import { Collection, Endpoint, Entity, RestEndpoint, resource, Values } from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
  rename(title: string): string {
    return title
  }
}
interface Row {
  readonly id: string
}

describe('an array in a schema literal says what one member is', () => {
  test('the value of a field is no schema of it', () => {
    // @ts-expect-error an array of instances
    new RestEndpoint({ path: '/items', schema: { first: '', items: [] as Item[] } })
    // @ts-expect-error an array of rows
    new RestEndpoint({ path: '/items', schema: { items: [] as Row[] } })
    // @ts-expect-error an array of text
    new RestEndpoint({ path: '/items', schema: { page: { tags: [] as string[] } } })
    // @ts-expect-error at the root
    new RestEndpoint({ path: '/items', schema: [] as Item[] })
    // @ts-expect-error by extend
    new RestEndpoint({ path: '/items' }).extend({ schema: { items: [] as Item[] } })
    // @ts-expect-error of an Endpoint
    new Endpoint(async () => 1, { name: 'a', schema: { items: [] as Item[] } })
  })

  test('schemas pass, in whatever way they are written, and what only documents a field', () => {
    const definition = { items: [Item], pages: [{ item: Item, total: 0 }], days: [Date] }
    new RestEndpoint({ path: '/items', schema: definition })
    new Endpoint(async () => 1, { name: 'a', schema: definition })
    const page = new RestEndpoint({
      path: '/items',
      schema: { items: [Item], list: new Collection([Item]), map: new Values(Item), first: '', total: 0, more: null },
    })
    expectTypeOf<(typeof page)['schema']['items'][0]>().toEqualTypeOf<typeof Item>()
    resource({ path: '/items/:id', schema: Item })
    new RestEndpoint({ path: '/items', schema: {} })
  })
})
