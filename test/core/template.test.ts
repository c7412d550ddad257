import { batch, Entity, RestEndpoint, resource } from '@roundtable/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { template } from '../../core/src/path/template.js'
import { OptionError, UrlParamError } from '../../core/src/util/errors.js'

type Params = Readonly<Record<string, unknown>>

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('fill writes', () => {
  const table: readonly (readonly [source: string, params: Params, url: string])[] = [
    // params
    ['/users', {}, '/users'],
    ['/users/:id', { id: 5 }, '/users/5'],
    ['/users/:id', { id: '5' }, '/users/5'],
    ['/users/:id', { id: 0 }, '/users/0'],
    ['/users/:id', { id: true }, '/users/true'],
    ['/users/:id', { id: false }, '/users/false'],
    ['/users/:id', { id: 12345678901234567890n }, '/users/12345678901234567890'],
    ['/users/:id', { id: 1e21 }, '/users/1e%2B21'],
    ['/users/:id', { id: 'a/b c?d#é' }, '/users/a%2Fb%20c%3Fd%23%C3%A9'],
    ['/users/:id', { id: 'a\\b\t\r\n' }, '/users/a%5Cb%09%0D%0A'],
    ['/users/:id', { id: '😀' }, '/users/%F0%9F%98%80'],
    ['/users/:id', { id: 'a.b' }, '/users/a.b'],
    ['/users/:id', { id: '...' }, '/users/...'],
    ['/users/:id', { id: '5', more: 1 }, '/users/5'],
    ['/:id.json', { id: 5 }, '/5.json'],
    ['/:id-:b', { id: 1, b: 2 }, '/1-2'],
    ['/:id/compare/:id', { id: 1 }, '/1/compare/1'],
    ['/:id😀:x', { id: 1, x: 2 }, '/1😀2'],
    // wildcards
    ['/*path', { path: ['a'] }, '/a'],
    ['/files/*path', { path: ['a', 'b c', 3] }, '/files/a/b%20c/3'],
    ['/files/*path', { path: ['a/b'] }, '/files/a%2Fb'],
    ['{/*path}', { path: ['a', 'b'] }, '/a/b'],
    ['{/*path}', {}, ''],
    ['/x{/*path}', { path: [] }, '/x'],
    ['/x{/*path}', { path: undefined }, '/x'],
    // groups
    ['/users{/:id}', {}, '/users'],
    ['/users{/:id}', { id: undefined }, '/users'],
    ['/users{/:id}', { id: 5 }, '/users/5'],
    ['{/:a}{-:b}{-:c}', { a: 1, c: 3 }, '/1-3'],
    ['/x{/:a/:b}', { a: 1, b: 2 }, '/x/1/2'],
    ['/x{/:a/:b}', {}, '/x'],
    ['/x{/:a{/:b}}', { a: 1 }, '/x/1'],
    ['/x{/:a{/:b}}', { a: 1, b: 2 }, '/x/1/2'],
    ['/x{/y}/z', {}, '/x/y/z'],
    ['/x{/y{/:a}}', {}, '/x/y'],
    ['/x{/y{/:a}}', { a: 1 }, '/x/y/1'],
    // quoted names, names that every object has
    ['/:"with-dash"/:"a/b"', { 'with-dash': 1, 'a/b': 2 }, '/1/2'],
    ['/:"say \\"hi\\""', { 'say "hi"': 1 }, '/1'],
    ['{/:constructor}', {}, ''],
    ['{/:constructor}', { constructor: 'x' }, '/x'],
    // literal characters
    ['/a+b/[1]/c!/:id', { id: 1 }, '/a+b/[1]/c!/1'],
    ['/\\:x/\\*y/\\{z\\}/\\(\\)/\\\\/:id', { id: 1 }, '/:x/*y/{z}/()/\\/1'],
    ['/a b/ü/:id', { id: 1 }, '/a b/ü/1'],
    ['https\\://host\\:8080/:slug', { slug: 'a' }, 'https://host:8080/a'],
    // dots of the template itself are its author's
    ['/a/../b/:id', { id: 1 }, '/a/../b/1'],
    ['./users/:id', { id: 1 }, './users/1'],
    // embedded queries
    ['/search?{q=:q}{&page=:page}', { q: 'a b', page: 2 }, '/search?q=a%20b&page=2'],
    ['/search?{q=:q}{&page=:page}', { page: 2 }, '/search?page=2'],
    ['/search?{q=:q}{&page=:page}', { q: 'a' }, '/search?q=a'],
    ['/search?{q=:q}{&page=:page}', {}, '/search'],
    ['/search?q=:q', { q: '' }, '/search?q='],
    ['/search?q=:q', { q: '..' }, '/search?q=..'],
    ['/search?q=/:q', { q: '%2e' }, '/search?q=/%252e'],
    ['/search?q=:q', { q: 'a&b=?' }, '/search?q=a%26b%3D%3F'],
    ['/search?*q', { q: ['', '.', '..'] }, '/search?/./..'],
    ['/search{?q=:q}{&page=:page}', { page: 2 }, '/search&page=2'],
    ['/search?{q=:q}#top', {}, '/search?#top'],
    ['/users?', {}, '/users'],
  ]
  test.each(table)('%j with %o as %j', (source, params, url) => {
    const filled = template(source).fill(params, 'test')
    expect(filled).toBe(url)
    expect(template(source).matches(filled)).toBe(true)
  })
})

describe('fill refuses', () => {
  const table: readonly (readonly [source: string, params: Params, param: string, reason: RegExp])[] = [
    ['/users/:id', {}, 'id', /is missing/],
    ['/users/:id', { id: undefined }, 'id', /is missing/],
    ['/users/:id', { id: null }, 'id', /is null/],
    ['/users/:id', { id: Number.NaN }, 'id', /is NaN/],
    ['/users/:id', { id: Number.POSITIVE_INFINITY }, 'id', /is Infinity/],
    ['/users/:id', { id: '' }, 'id', /empty string/],
    ['/users/:id', { id: {} }, 'id', /is an object/],
    ['/users/:id', { id: new Date(0) }, 'id', /is a Date/],
    ['/users/:id', { id: () => 1 }, 'id', /is a function/],
    ['/users/:id', { id: Symbol('x') }, 'id', /is a symbol/],
    ['/users/:id', { id: ['a'] }, 'id', /is an array/],
    ['/users/:id', { id: [] }, 'id', /is an array/],
    ['/users/:id', { id: '\ud800' }, 'id', /surrogate/],
    ['/users/:id', { id: 'a\udc00' }, 'id', /surrogate/],
    ['/users/:constructor', {}, 'constructor', /is missing/],
    ['/users/:"__proto__"', {}, '__proto__', /is missing/],
    // wildcards
    ['/*path', {}, 'path', /is missing/],
    ['/*path', { path: 'a' }, 'path', /non-empty array/],
    ['/*path', { path: [] }, 'path', /non-empty array/],
    ['/*path', { path: null }, 'path', /non-empty array/],
    ['/*path', { path: ['a', ''] }, 'path', /empty string/],
    ['/*path', { path: ['', 'evil.com', 'x'] }, 'path', /empty string/],
    ['/*path', { path: ['a', null] }, 'path', /is null/],
    ['/*path', { path: ['a', ['b']] }, 'path', /is an array/],
    ['{/*path}', { path: 'a' }, 'path', /non-empty array/],
    ['{/*path}', { path: [undefined] }, 'path', /is missing/],
    // groups: only undefined (and, for a wildcard, an empty array) counts as absent
    ['/users{/:id}', { id: null }, 'id', /is null/],
    ['/users{/:id}', { id: '' }, 'id', /empty string/],
    ['/users{/:id}', { id: [] }, 'id', /is an array/],
    ['/x{/:a/:b}', { a: 1 }, 'b', /is missing, but 'a'/],
    ['/x{/:a/:b}', { b: 1 }, 'a', /is missing, but 'b'/],
    ['/x{/:a{/:b}}', { b: 1 }, 'a', /is missing, but 'b'/],
    ['/x{/:a{/y{/:b}}}', { b: 1 }, 'a', /is missing, but 'b'/],
    // dot segments in any spelling
    ['/users/:id', { id: '.' }, 'id', /dots/],
    ['/users/:id', { id: '..' }, 'id', /dots/],
    ['/users/:id', { id: '%2e%2e' }, 'id', /dots/],
    ['/users/:id', { id: '.%2E' }, 'id', /dots/],
    ['/users/:id/edit', { id: '%2e' }, 'id', /dots/],
    ['/users/:id?x=1', { id: '..' }, 'id', /dots/],
    ['/*path', { path: ['a', '..', 'b'] }, 'path', /dots/],
    ['/.:a', { a: '.' }, 'a', /dots/],
    ['/:a.', { a: '.' }, 'a', /dots/],
    ['/%2:a', { a: 'e' }, 'a', /dots/],
    ['/.{:a}', {}, 'a', /dots/],
    ['/{:a}.?x=:b', { b: 1 }, 'a', /dots/],
    ['/\\\\:a', { a: '..' }, 'a', /dots/],
    [':id', { id: '..' }, 'id', /dots/],
    ['/a/../:id', { id: '..' }, 'id', /dots/],
  ]
  test.each(table)('%j with %o', (source, params, param, reason) => {
    const fill = () => template(source).fill(params, 'getThing')
    expect(fill).toThrow(UrlParamError)
    expect(fill).toThrow(reason)
    expect(fill).toThrow(expect.objectContaining({ endpoint: 'getThing', template: source, param }))
  })

  test('a lone surrogate with the error of the platform as its cause', () => {
    expect(() => template('/:id').fill({ id: '\ud800' }, 'x')).toThrow(
      expect.objectContaining({ cause: expect.any(URIError) }),
    )
  })
})

describe('a template that begins with a host is an OptionError that says where that belongs', () => {
  test.each([
    ['https://api.test/todos/:id', "{ urlPrefix: 'https://api.test', path: '/todos/:id' }"],
    ['http://localhost:3000/todos/:id', "{ urlPrefix: 'http://localhost:3000', path: '/todos/:id' }"],
    ['HTTPS://ann:hunter2@api.test/todos', "{ urlPrefix: 'HTTPS://api.test', path: '/todos' }"],
    ['https://api.test', "{ urlPrefix: 'https://api.test', path: '' }"],
    ['localhost:3000/todos/:id', "{ urlPrefix: 'http://localhost:3000', path: '/todos/:id' }"],
  ])('%s', (path, remedy) => {
    const member = () => resource({ path, schema: class Todo extends Entity {} })
    const one = () => new RestEndpoint({ path })
    for (const define of [member, one, () => template(path), () => batch({ path })]) {
      expect(define).toThrow(OptionError)
      expect(define).toThrow(`has a host, which belongs into urlPrefix: ${remedy}.`)
      expect(define).not.toThrow(/backslash|hunter2/)
    }
  })

  test('with an escaped colon it may', () => {
    expect(template('https\\://api.test/todos/:id').fill({ id: 5 }, '')).toBe('https://api.test/todos/5')
  })
})

describe('a template that cannot be read is an OptionError', () => {
  const table: readonly (readonly [source: string, position: number, reason: RegExp])[] = [
    ['/u/:id(edit)', 6, /Unexpected \(/],
    ['/u)', 2, /Unexpected \)/],
    ['/x}', 2, /Unexpected }/],
    ['/?+x}', 4, /Unexpected }/],
    ['/😀?x}', 5, /Unexpected }/],
    ['/x{/:id', 7, /Unexpected end/],
    ['/:', 2, /Missing parameter name/],
    ['/?/:1', 4, /Missing parameter name/],
    ['/:""', 4, /Missing parameter name/],
    ['/!:"x', 3, /Unterminated quote/],
    ['/a\\', 3, /Unexpected end after/],
    ['/:a:b', 3, /without text between/],
    ['/a?/:"x y"*b', 10, /without text between/],
    ['/*id:bob', 4, /without text between/],
    ['{/*id}:bob', 6, /without text between/],
    ['/:a{:b}', 4, /without text between/],
    ['/x{/:a}{:b}', 8, /without text between/],
  ]
  test.each(table)('%j at %j', (source, position, reason) => {
    expect(() => template(source)).toThrow(OptionError)
    expect(() => template(source)).toThrow(reason)
    expect(() => template(source)).toThrow(
      expect.objectContaining({ option: 'path', template: source, position, message: expect.stringContaining(source) }),
    )
  })

  test('so is a name used both ways', () => {
    expect(() => template('/:a/x/*a')).toThrow(OptionError)
  })
})

describe('matches', () => {
  const table: readonly (readonly [source: string, path: string, matches: boolean])[] = [
    ['/users/:id', '/users/5', true],
    ['/users/:id', '/users/5?x=/../?', true],
    ['/users/:id', '/users/5/', false],
    ['/users/:id', '/users/', false],
    ['/users/:id', '/users', false],
    ['/users/:id', '/Users/5', false],
    ['/users/:id', '/users/5/posts', false],
    ['/users/:id', '/users/a%2Fb', true],
    ['/users/:id', '/users/a@b', false],
    ['/users/:id', '/users/é', false],
    ['/users', '/users', true],
    ['/users', '/users?page=2', true],
    ['/users', '/usersx', false],
    ['/users', 'x/users', false],
    ['/users{/:id}', '/users', true],
    ['/users{/:id}', '/users/5', true],
    ['/users{/:id}', '/users/5/6', false],
    ['/x{/:a/:b}', '/x/1', false],
    ['/x{/:a/:b}', '/x/1/2', true],
    ['/:a-:b', '/1-2-3', true],
    ['/:a-:b', '/-', false],
    ['/:a-:b', '/--', false],
    ['/:a-:b', '/---', true],
    ['/:a-x:b-', '/a-b-xc-d-', true],
    ['/:a-x:b-', '/a-b-xc-d', false],
    ['/:a{-:b}x', '/1-2x', true],
    ['/:a{-:b}x', '/x', false],
    ['/*path', '/a/b/c', true],
    ['/*path', '/a//c', false],
    ['/*path', '/a/', false],
    ['/*path', '/', false],
    ['/*a/x/*b', '/x/x/x', true],
    ['/*a/x/*b', '/q/x', false],
    ['/*a-:b/end', '/q-1/y-2/end', true],
    ['/*a-:b/end', '/q-1/y/end', false],
    ['/*a{/-/:b}/end', '/q/-/1/end', true],
    ['/search?{q=:q}', '/search', true],
    ['/search?{q=:q}', '/search?q=1', true],
    ['/search?{q=:q}', '/search/', false],
    ['/search{?q=:q}{/:x}', '/search/1', true],
    ['/search{?q=:q}{/:x}', '/search?q=1', true],
    ['/search{?q=:q}{/:x}', '/search/1/2', false],
    ['?q=:q', '?q=1', true],
    ['', '', true],
    ['', '/', false],
  ]
  test.each(table)('%j and %j: %j', (source, path, matches) => {
    expect(template(source).matches(path)).toBe(matches)
  })

  const hostile: readonly (readonly [source: string, path: string])[] = [
    ['/:a', `/${'a'.repeat(1_000_000)}/`],
    ['/:a-:b', `/${'-'.repeat(1_000_000)}/`],
    ['/:a-:b-:c-:d', `/${'-'.repeat(1_000_000)}/`],
    ['/:a-:b', `/${'a-'.repeat(500_000)}@`],
    ['{/:a}{-:b}{-:c}', `/${'-'.repeat(1_000_000)}@`],
    ['/users/:id{/:tab}', `/users/${'%'.repeat(1_000_000)}/`],
    ['/*path', `/${'a/'.repeat(500_000)}`],
    ['/*path', '/'.repeat(1_000_000)],
    ['/*a/-/*b', `/${'-/'.repeat(500_000)}`],
    ['/*a-:b/*c-:d', `/${'a-/'.repeat(350_000)}`],
  ]
  // Linear work on 1 MB is a matter of milliseconds; quadratic work runs into the test's time limit.
  test.each(hostile)('H10: %j takes time in proportion to a hostile path', (source, path) => {
    expect(template(source).matches(path)).toBe(false)
  })

  const crowded: readonly (readonly [source: string, path: string])[] = [
    ['{/:a}{-:b}{-:c}{-:d}{-:e}{-:f}{-:g}{-:h}{-:i}{-:j}{-:k}{-:l}', `/${'-'.repeat(1_000)}@`],
    ['/*a/x/*b/x/*c/x/*d/x/*e', `/${'x/'.repeat(1_000)}`],
  ]
  test.each(crowded)('many groups or wildcards do not multiply: %j', (source, path) => {
    expect(template(source).matches(path)).toBe(false)
  })
})

describe('originAtRisk', () => {
  const table: readonly (readonly [source: string, risk: boolean])[] = [
    ['/users', false],
    ['users', false],
    ['', false],
    ['/users/:id', false],
    ['/:id', false],
    ['/*path', false],
    ['/users{/:id}', false],
    // these do not lead away either, but whoever compares the origins once more finds that out
    ['{/:id}', true],
    ['/{:id}', true],
    ['?q=:q', true],
    ['https\\://api.test/:id', true],
    // these do
    ['users/:id', true],
    [':id', true],
    ['*path', true],
    ['{:id}/x', true],
    ['//:host/x', true],
    ['/\\\\:host/x', true],
    ['/{/:host}', true],
    ['/\t/:host', true],
    ['https\\://:tenant.api.test/x', true],
    ['https\\://api.test:port', true],
    ['https\\://api.test{\\::port}/x', true],
  ]
  test.each(table)('of %j: %j', (source, risk) => {
    expect(template(source).originAtRisk).toBe(risk)
  })
})

test('names lists the params of the template', () => {
  const files = template('/files/:owner{/*path}?v=:version')
  expect([...files.names]).toEqual(['owner', 'path', 'version'])
  expect(files.source).toBe('/files/:owner{/*path}?v=:version')
})

test('M10: a template is compiled once, and of 10,000 made at run time at most 1,000 are cached', () => {
  const first = template('/cache/:id')
  expect(template('/cache/:id')).toBe(first)
  for (let index = 0; index < 10_000; index++) {
    template(`/cache/${index}/:id`)
    if (index % 400 === 0) expect(template('/cache/:id')).toBe(first) // used now and then, it stays
  }
  const cached = template('/cache/9999/:id')
  expect(template('/cache/9999/:id')).toBe(cached)
  for (let index = 0; index < 1_000; index++) template(`/cache/again/${index}/:id`)
  expect(template('/cache/9999/:id')).not.toBe(cached)
})

test('the optional param of older syntaxes is warned about in development', () => {
  template('/warned/:id?')
  expect(console.warn).toHaveBeenCalledOnce()
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining("write '{/:id}'"))
  template('/warned/:id?')
  template('/warned/:id?x=:y')
  template('/warned/:id?{x=:y}')
  expect(console.warn).toHaveBeenCalledOnce()
  template('/warned/:id?/posts')
  expect(console.warn).toHaveBeenCalledTimes(2)
})
