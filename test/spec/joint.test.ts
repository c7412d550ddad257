import { Entity, OptionError, RestEndpoint, resource } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

class Issue extends Entity {
  static override key = 'Issue'
  id = ''
}

describe('a path that would run into urlPrefix', () => {
  test.each([
    ['http://host', 'issues/:id'],
    ['http://host/api', 'issues'],
    ['http://ann:pw@host', 'issues'],
    ['/api', 'issues'],
    ['/api', ':id'],
    ['api', '*path'],
    ['http://host', '{issues}/x'],
    ['http://host', '{/:board}issues'],
    ['http://host', '-x'],
    ['http://host', 'https\\://other/issues'],
    ['..', 'issues'],
  ])('%s with %s is an OptionError at definition', (urlPrefix, path: string) => {
    expect(() => new RestEndpoint({ urlPrefix, path })).toThrow(OptionError)
    expect(() => new RestEndpoint({ path }).extend({ urlPrefix })).toThrow(OptionError)
    expect(() => new RestEndpoint({ urlPrefix, path: '/' }).extend({ path })).toThrow(OptionError)
  })

  test('the error has the URL and the fix, and no credentials', () => {
    const make = () => new RestEndpoint({ urlPrefix: 'http://ann:pw@host', path: 'issues/:id' })
    expect(make).toThrow(/'issues\/:id'.*'http:\/\/hostissues\/:id'.*'\/issues\/:id'/)
    expect(make).toThrow(expect.objectContaining({ option: 'path', template: 'issues/:id' }))
    expect(make).not.toThrow(/pw/)
  })

  test('so it is in a resource, also of a class with a prefix of its own', () => {
    expect(() => resource({ urlPrefix: 'http://host', path: 'issues/:id', schema: Issue })).toThrow(OptionError)
    class Api extends RestEndpoint {
      override urlPrefix = 'http://host'
    }
    expect(() => resource({ Endpoint: Api, path: 'issues/:id', schema: Issue })).toThrow(OptionError)
  })

  test('a class with a prefix of its own throws at the first use', () => {
    class Api extends RestEndpoint {
      override urlPrefix = 'http://host'
    }
    const get = new Api({ path: 'issues' })
    expect(() => get.url()).toThrow(OptionError)
    expect(() => get.key()).toThrow(OptionError)
  })

  test.each([
    ['', 'issues', undefined, 'issues'],
    ['http://host/', 'issues', undefined, 'http://host/issues'],
    ['http://host', '/issues', undefined, 'http://host/issues'],
    ['http://host', '', undefined, 'http://host'],
    ['http://host', '?q=:q', { q: 'a' }, 'http://host?q=a'],
    ['http://host', '{?q=:q}', {}, 'http://host'],
    ['http://host', '{/:id}', { id: 5 }, 'http://host/5'],
    ['http://host', '{/:id}', {}, 'http://host'],
    ['http://host', '{/:a}{-:b}{-:c}', { a: 1, b: 2 }, 'http://host/1-2'],
    ['http://host', '{/:a}{-:b}{-:c}', {}, 'http://host'],
    ['http://host', '\\:8080/issues', undefined, 'http://host:8080/issues'],
    ['http://host/api', '.json', undefined, 'http://host/api.json'],
    ['http://host/go?to=', 'issues', undefined, 'http://host/go?to=issues'],
    ['api', '/issues', undefined, 'api/issues'],
    ['./', 'issues', undefined, './issues'],
    ['', 'https\\://host/issues/:id', { id: 5 }, 'https://host/issues/5'],
    ['https:', '//host/issues', undefined, 'https://host/issues'],
  ])('%s with %s is none', (urlPrefix, path: string, params, url) => {
    expect((new RestEndpoint({ urlPrefix, path }) as RestEndpoint).url(params)).toBe(url)
  })
})
