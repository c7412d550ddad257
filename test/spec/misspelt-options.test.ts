import { Collection, Endpoint, Entity, RestEndpoint, resource } from '@roundtable/core'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
}

/** As in JavaScript, where no type checks options. */
const js = (options: object): never => options as never

describe('an option that is a known one misspelt', () => {
  let warn: MockInstance
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    warn.mockRestore()
  })
  const said = () => warn.mock.calls.map(([message]) => message)

  test.each([
    ['pollFrequencyy', 'pollFrequency'],
    ['polFrequncy', 'pollFrequency'],
    ['dataExpiryLenght', 'dataExpiryLength'],
    ['serachParams', 'searchParams'],
    ['shema', 'schema'],
    ['urlprefix', 'urlPrefix'],
    ['Path', 'path'],
  ])('%s is warned about once, naming %s', (name, meant) => {
    const get = new RestEndpoint(js({ path: '/todos', name: 'getTodos', [name]: 5 }))
    expect(said()).toEqual([`The endpoint getTodos has no option '${name}': did you mean '${meant}'?`])
    get.extend({ dataExpiryLength: 5 }).extend({ timeout: 5 })
    expect(said()).toHaveLength(1)
  })

  test('in extend, in an Endpoint, and in a resource', () => {
    new RestEndpoint({ path: '/todos', name: 'getTodos' }).extend(js({ pollFrequencyy: 5 })).extend({ timeout: 5 })
    new Endpoint(async () => 1, js({ name: 'one', shema: Todo }))
    resource(js({ path: '/todos/:id', schema: Todo, endpoint: RestEndpoint, collection: Collection, Optimistic: true }))
    expect(said()).toEqual([
      "extend of getTodos has no option 'pollFrequencyy': did you mean 'pollFrequency'?",
      "The endpoint one has no option 'shema': did you mean 'schema'?",
      "resource of /todos/:id has no option 'endpoint': did you mean 'Endpoint'?",
      "resource of /todos/:id has no option 'collection': did you mean 'Collection'?",
      "resource of /todos/:id has no option 'Optimistic': did you mean 'optimistic'?",
    ])
  })

  test('members of one’s own, and of a class, are none', () => {
    class Api extends RestEndpoint {
      get pollFrequencys() {
        return 5
      }
    }
    new Api(js({ path: '/todos', pollFrequencys: 6, accessToken: 'a', keys: [], tenant: 5 })).extend({
      accessToken: 'b',
    })
    resource(js({ path: '/todos/:id', schema: Todo, Endpoint: Api, pollFrequencys: 6, accessToken: 'a' }))
    expect(said()).toEqual([])
  })

  test('in production there is no warning', () => {
    vi.stubEnv('NODE_ENV', 'production')
    new RestEndpoint(js({ path: '/todos', pollFrequencyy: 5 })).extend(js({ shema: Todo }))
    resource(js({ path: '/todos/:id', schema: Todo, collection: Collection }))
    expect(said()).toEqual([])
  })
})
