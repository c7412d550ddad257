import { Endpoint, KeyArgError, OptionError, TimeoutError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

describe('Endpoint', () => {
  async function getUser(id: string): Promise<{ id: string }> {
    return { id }
  }

  test('is called like its function', async () => {
    const get = new Endpoint(getUser)
    expect(await get('5')).toEqual({ id: '5' })
    expect(typeof get).toBe('function')
    expect(get).toBeInstanceOf(Endpoint)
    expect(JSON.stringify({ get })).toBe('{}')
  })

  test('its name is that of the function, or the one that is given', () => {
    expect(new Endpoint(getUser).name).toBe('getUser')
    expect(new Endpoint(getUser, { name: 'user' }).name).toBe('user')
    expect(new Endpoint(getUser, { name: 'user' }).extend({ dataExpiryLength: 5 }).name).toBe('user')
    expect(new Endpoint(getUser).extend({ fetch: async function other() {} }).name).toBe('other')
  })

  test('its key is the name, a space and the arguments', () => {
    const get = new Endpoint(async (..._args: unknown[]) => 5, { name: 'get' })
    expect(get.key('5')).toBe('get ["5"]')
    expect(get.key({ b: 1, a: 2 })).toBe(get.key({ a: 2, b: 1, c: undefined }))
    expect(get.key(5)).not.toBe(get.key('5'))
    expect(get.key(5n)).not.toBe(get.key(5))
    expect(get.key(new Date(0))).not.toBe(get.key(new Date(1)))
    expect(() => get.key(() => {})).toThrow(KeyArgError)
    expect(() => get.key(Symbol('a'))).toThrow(KeyArgError)
  })

  test('without any name it has no key', () => {
    const nameless = new Endpoint(
      (
        () => async () =>
          5
      )(),
    )
    expect(() => nameless.key()).toThrow(OptionError)
    expect(nameless.extend({ key: () => 'own' }).key()).toBe('own')
  })

  test('testKey compares the whole name: foo never matches foobar', () => {
    const foo = new Endpoint(getUser, { name: 'foo' })
    const foobar = new Endpoint(getUser, { name: 'foobar' })
    expect(foo.testKey(foo.key('5'))).toBe(true)
    expect(foo.testKey(foobar.key('5'))).toBe(false)
  })

  test('options become members; this in the function and in options is the endpoint', async () => {
    const get = new Endpoint(
      async function (this: { prefix: string }, id: string) {
        return this.prefix + id
      },
      { name: 'get', prefix: 'user ' },
    )
    expect(await get('5')).toBe('user 5')
    expect(await get.call({ prefix: 'other' } as never, '5')).toBe('user 5')
    expect(await get.extend({ prefix: 'u' })('5')).toBe('u5')
  })

  test('bind gives an endpoint with the first arguments, for all functions that take them', async () => {
    const get = new Endpoint(async (a: string, b: number) => `${a}${b}`, {
      name: 'get',
      getOptimisticResponse: (_snapshot, a, b) => `maybe ${a}${b}`,
    })
    const bound = get.bind(undefined, 'x')
    expect(await bound(5)).toBe('x5')
    expect(bound.key(5)).toBe(get.key('x', 5))
    expect(bound.getOptimisticResponse?.({} as never, 5)).toBe('maybe x5')
    expect(bound).toBeInstanceOf(Endpoint)
  })

  test('a function that throws at once is a promise that rejects', async () => {
    const broken = new Endpoint(
      (): Promise<string> => {
        throw new RangeError('at once')
      },
      { name: 'broken' },
    )
    await expect(broken()).rejects.toThrow(RangeError)
  })

  test('a timeout rejects, and aborts the signal that the function sees', async () => {
    let seen: AbortSignal | undefined
    const slow = new Endpoint(
      function (this: { signal?: AbortSignal }): Promise<never> {
        seen = this.signal
        return new Promise(() => {})
      },
      { name: 'slow', timeout: 20 },
    )
    await expect(slow()).rejects.toThrow(TimeoutError)
    expect(seen?.aborted).toBe(true)
  })

  test('a timeout leaves no listener on the outer signal', async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const get = new Endpoint(getUser, { timeout: 1_000, signal })
    for (let call = 0; call < 10; call++) await get('5')
    expect(listeners).toBe(0)
  })
})
