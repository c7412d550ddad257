import { All } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import {
  ByName,
  getPage,
  getProducts,
  hydrated,
  Maker,
  open,
  openStore,
  Product,
  Products,
  put,
  reads,
  remove,
  sent,
  shownBy,
} from './shop.js'

describe('a state that was dehydrated, sent and hydrated', () => {
  test.each(reads.map(([endpoint, args, data]) => [endpoint.name, endpoint, args, data] as const))(
    '%s shows the same as on the server',
    (_, endpoint, args, data) => {
      const server = openStore({ server: true })
      put(server.controller, endpoint, args, data)
      const wanted = shownBy(server.controller, endpoint, args)
      expect(wanted.status).toBe('ready')
      const { controller, errors } = hydrated(sent(server.controller))
      expect(shownBy(controller, endpoint, args)).toEqual(wanted)
      expect(errors).toEqual([])
    },
  )

  test('all of them together, and what is looked up without a request', () => {
    const server = openStore({ server: true })
    for (const [endpoint, args, data] of reads) put(server.controller, endpoint, args, data)
    const state = sent(server.controller)
    const { controller } = hydrated(state)
    for (const [endpoint, args] of reads)
      expect(shownBy(controller, endpoint, args)).toEqual(shownBy(server.controller, endpoint, args))
    const browser = hydrated(state).controller
    for (const schema of [Product, Products, new All(Product)] as const) {
      const args = schema === Product ? [{ id: '1' }] : schema === Products ? [{ shelf: 's' }] : []
      const wanted = server.controller.get(schema as typeof Product, ...(args as [never]))
      expect(wanted).toBeDefined()
      expect(browser.get(schema as typeof Product, ...(args as [never]))).toEqual(wanted)
    }
  })

  test('instances are made by the classes, and a row is one object wherever it is shown', () => {
    const server = openStore({ server: true })
    for (const [endpoint, args, data] of reads) put(server.controller, endpoint, args, data)
    const { controller } = hydrated(sent(server.controller))
    const maker = controller.get(Maker, { id: 'm' })
    expect(maker).toBeInstanceOf(Maker)
    expect(controller.get(ByName, {})?.a).toBe(maker)
  })

  test('a deleted row stays deleted', () => {
    const server = openStore({ server: true })
    put(server.controller, getProducts, [{ shelf: 's' }], [{ id: '1' }, { id: '2' }])
    put(server.controller, remove, [{ id: '1' }], { id: '1' })
    const { controller } = hydrated(sent(server.controller))
    expect(shownBy(controller, getProducts, [{ shelf: 's' }]).data).toMatchObject([{ id: '2' }])
    controller.setResponse(getProducts, { shelf: 's' }, [{ id: '1', title: 'back' }])
    expect(shownBy(controller, getProducts, [{ shelf: 's' }]).data).toMatchObject([{ id: '1', title: 'back' }])
  })

  test('pages of a list stay pages: one that is read again takes its place', () => {
    const server = openStore({ server: true })
    put(server.controller, getPage, [{}], [{ id: '1' }, { id: '2' }])
    put(server.controller, getPage, [{ page: 2 }], [{ id: '3' }, { id: '4' }])
    put(server.controller, getPage, [{ page: 3 }], [{ id: '5' }])
    const { controller } = hydrated(sent(server.controller))
    const ids = () => controller.get(open, {})?.map(({ id }) => id)
    expect(ids()).toEqual(['1', '2', '3', '4', '5'])
    expect(sent(controller).lists).toEqual(sent(server.controller).lists)
    put(controller, getPage, [{ page: 2 }], [{ id: '3' }, { id: '6' }])
    expect(ids()).toEqual(['1', '2', '3', '6', '4', '5'])
    put(controller, getPage, [{}], [{ id: '0' }, { id: '1' }])
    put(controller, getPage, [{ page: 2 }], [{ id: '2' }, { id: '3' }])
    put(controller, getPage, [{ page: 3 }], [{ id: '6' }])
    expect(ids()).toEqual(['0', '1', '2', '3', '6'])
  })
})
