import { also, Controller, Endpoint, Entity, Invalidate, RestEndpoint, transfer } from '@roundtable/core'
import { mockController } from '@roundtable/core/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock } from './clock.js'

class Place extends Entity {
  static override key = 'Place'
  id = ''
  name = ''
  tags: string[] = []
}

class Trip extends Entity {
  static override key = 'Trip'
  static override schema = { place: Place, stops: [Place] }
  id = ''
  place: Place | undefined = undefined
  stops: Place[] = []
  note = { text: '' }
}

const getTrip = new Endpoint(async (_args: { id: string }): Promise<unknown> => ({}), { name: 'getTrip', schema: Trip })

const answer = () => ({
  id: '1',
  note: { text: 'early' },
  place: { id: '5', name: 'Rome', tags: ['old'] },
  stops: [
    { id: '6', name: 'Bern', tags: [] as string[] },
    { id: '5', name: 'Rome', tags: ['old'] },
  ],
})

const shown = {
  id: '1',
  note: { text: 'early' },
  place: { id: '5', name: 'Rome', tags: ['old'] },
  stops: [
    { id: '6', name: 'Bern', tags: [] },
    { id: '5', name: 'Rome', tags: ['old'] },
  ],
}

function controller(): Controller {
  return new Controller({ env: new HandClock() })
}

describe('a value that is not transferred', () => {
  test('is copied: changing it later changes nothing on the screen', () => {
    const here = controller()
    const data = answer()
    here.setResponse(getTrip, { id: '1' }, data)
    data.note.text = 'late'
    data.place.name = 'late'
    data.place.tags.push('late')
    for (const stop of data.stops) stop.tags.push('late')
    expect(here.get(Trip, { id: '1' })).toMatchObject(shown)
  })

  test('may be frozen', () => {
    const here = controller()
    here.setResponse(getTrip, { id: '1' }, Object.freeze(answer()))
    expect(here.get(Trip, { id: '1' })).toMatchObject(shown)
  })

  test('is copied from a row that the response holds twice, and where it merges into stored data', () => {
    const here = controller()
    const twice = [
      { id: '5', name: 'Rome', tags: ['old'] },
      { id: '5', name: 'Rome', tags: ['new'] },
    ]
    here.setResponse(new Endpoint(async () => [], { name: 'places', schema: [Place] }), twice)
    twice[1]?.tags.push('late')
    expect(here.get(Place, { id: '5' })?.tags).toEqual(['new'])
    const more = { id: '5', tags: ['newest'] }
    here.set(Place, { id: '5' }, more)
    more.tags.push('late')
    expect(here.get(Place, { id: '5' })?.tags).toEqual(['newest'])
  })
})

describe('a transferred value', () => {
  test('is shown as if it were not transferred', () => {
    const here = controller()
    here.setResponse(getTrip, { id: '1' }, transfer(answer()))
    const first = here.get(Trip, { id: '1' })
    expect(first).toMatchObject(shown)
    expect(first).toBeInstanceOf(Trip)
    here.setResponse(getTrip, { id: '1' }, transfer(answer()))
    expect(here.get(Trip, { id: '1' })).toBe(first)
    here.setResponse(
      getTrip,
      { id: '1' },
      transfer({ ...answer(), stops: ['6', '5'], place: { id: '5', name: 'Roma' } }),
    )
    expect(here.get(Trip, { id: '1' })?.stops[1]?.name).toBe('Roma')
    expect(here.get(Trip, { id: '1' })?.stops[0]).toBe(first?.stops[0])
  })

  test('is not copied: in development changing it later throws', () => {
    const here = controller()
    const data = transfer(answer())
    here.setResponse(getTrip, { id: '1' }, data)
    expect(() => {
      data.place.name = 'late'
    }).toThrow(TypeError)
    expect(() => data.place.tags.push('late')).toThrow(TypeError)
    expect(here.get(Trip, { id: '1' })).toMatchObject(shown)
  })

  test('is taken once: passed again without transfer it is copied', () => {
    const data = transfer({ id: '5', name: 'Rome', tags: ['old'] })
    const getPlace = new Endpoint(async (_args: { id: string }) => data, { name: 'getPlace', schema: Place })
    controller().setResponse(getPlace, { id: '5' }, data)
    const copy = structuredClone(data)
    const here = controller()
    here.setResponse(getPlace, { id: '5' }, copy)
    copy.name = 'late'
    expect(here.get(Place, { id: '5' })?.name).toBe('Rome')
  })

  test('stays whole while its parts are taken: pk, process and validate see the original parent', () => {
    class Leg extends Entity {
      static override key = 'Leg'
      static override pk(value: object, parent?: unknown): string {
        const { place } = parent as { place: { name: string } }
        return `${place.name}:${(value as { at: number }).at}`
      }
      at = 0
    }
    class Tour extends Entity {
      static override key = 'Tour'
      static override schema = { place: Place, legs: [Leg] }
      id = ''
      place: Place | undefined = undefined
      legs: Leg[] = []
    }
    const getTour = new Endpoint(async (_args: { id: string }): Promise<unknown> => ({}), {
      name: 'tour',
      schema: Tour,
    })
    const here = controller()
    here.setResponse(getTour, { id: '1' }, transfer({ id: '1', place: { id: '5', name: 'Rome' }, legs: [{ at: 1 }] }))
    expect(here.get(Tour, { id: '1' })?.legs).toMatchObject([{ at: 1 }])
  })

  test('by an endpoint that resolves with it', async () => {
    const data = { id: '5', name: 'Rome', tags: ['old'] }
    const getPlace = new Endpoint(async (_args: { id: string }) => transfer(data), { name: 'getPlace', schema: Place })
    const here = controller()
    expect((await here.fetch(getPlace, { id: '5' })).name).toBe('Rome')
    expect(Object.isFrozen(data)).toBe(true)
  })
})

describe('the responses of a RestEndpoint', () => {
  const getPlace = new RestEndpoint({ path: '/places/:id', schema: Place, urlPrefix: 'https://api.test' })
  const removePlace = getPlace.extend({ method: 'DELETE', schema: new Invalidate(Place) })
  const serve = (body: unknown): void => {
    vi.stubGlobal('fetch', async () => Response.json(body))
  }
  /** Returns the function that answers the request. */
  const serveLater = (): ((body: unknown) => void) => {
    let respond = (_response: Response): void => {}
    const response = new Promise<Response>((resolve) => {
      respond = resolve
    })
    vi.stubGlobal('fetch', () => response)
    return (body) => respond(Response.json(body))
  }

  afterEach(() => vi.unstubAllGlobals())

  test("are its controller's own, unless an override has seen them", () => {
    const value = (data: unknown): unknown => data
    expect(getPlace.transfers).toBe(true)
    expect(getPlace.extend({ dataExpiryLength: 5 }).transfers).toBe(true)
    expect(getPlace.extend({ process: value }).transfers).toBe(false)
    expect(getPlace.extend({ parseResponse: (response) => response.json() }).transfers).toBe(false)
    expect(getPlace.extend({ fetch: async () => ({}) }).transfers).toBe(false)
    class Kept extends RestEndpoint {
      override process(data: unknown): unknown {
        return data
      }
    }
    expect(new Kept({ path: '/places' }).transfers).toBe(false)
  })

  test('are copied where `process` keeps them', async () => {
    const stored: { tags: string[] }[] = []
    const endpoint = getPlace.extend({
      process(data: { tags: string[] }) {
        stored.push(data)
        return data
      },
    })
    serve({ id: '5', name: 'Rome', tags: ['old'] })
    const here = controller()
    await here.fetch(endpoint, { id: '5' })
    stored[0]?.tags.push('late')
    expect(here.get(Place, { id: '5' })?.tags).toEqual(['old'])
  })

  test('go to the caller as copies where the store shows nothing for them', async () => {
    const here = controller()
    const respond = serveLater()
    const waiting = here.fetch(getPlace, { id: '5' })
    here.setResponse(removePlace, { id: '5' }, { id: '5' })
    respond({ id: '5', name: 'Rome', tags: ['old'] })
    const place = await waiting
    place.tags.push('mine')
    expect(place.tags).toEqual(['old', 'mine'])
    expect(here.get(Place, { id: '5' })).toBeUndefined()
  })

  describe('with nested entities', () => {
    const readTrip = new RestEndpoint({ path: '/trips/:id', schema: Trip, urlPrefix: 'https://api.test' })
    const removeTrip = readTrip.extend({ method: 'DELETE', schema: new Invalidate(Trip) })

    test('are shown as what they hold', async () => {
      serve(answer())
      const here = controller()
      const query = here.watch(readTrip, { id: '1' })
      query.subscribe(() => {})
      await query.load()
      expect(query.getSnapshot().data).toEqual(shown)
      expect(here.get(Place, { id: '6' })?.name).toBe('Bern')
    })

    test('are whole for the caller where the store shows nothing for them', async () => {
      const here = controller()
      const respond = serveLater()
      const waiting = here.fetch(readTrip, { id: '1' })
      here.setResponse(removeTrip, { id: '1' }, { id: '1' })
      respond(answer())
      expect(await waiting).toEqual(answer())
    })

    test('are whole for the function of `also`, though nobody waits for them', async () => {
      const seen: unknown[] = []
      const trip = readTrip.extend({
        parts: [
          also((response: { place: object }) => {
            seen.push(structuredClone(response))
            return [[getPlace, [{ id: '5' }], response.place]]
          }),
        ],
      })
      serve(answer())
      const here = controller()
      const query = here.watch(trip, { id: '1' })
      query.subscribe(() => {})
      await query.load()
      expect(seen).toEqual([answer()])
      expect(here.getResponse(getPlace, { id: '5' }).data?.name).toBe('Rome')
    })
  })

  test("that a fixture gives stay the fixture's", async () => {
    const response = { id: '5', name: 'Rome', tags: ['old'] }
    const here = mockController({ resolverFixtures: [{ endpoint: getPlace, args: [{ id: '5' }], response }] })
    await here.fetch(getPlace, { id: '5' })
    response.tags.push('late')
    expect(here.get(Place, { id: '5' })?.tags).toEqual(['old'])
  })
})
