import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OptionError, RestEndpoint, UrlParamError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

describe('Path template syntax', () => {
  test(':name: named parameter; value is a string or number, serialized into the URL', () => {
    const get = new RestEndpoint({ path: '/users/:id/posts/:postId' })
    expect(get.url({ id: 5, postId: 'a/b c' })).toBe('/users/5/posts/a%2Fb%20c')
  })

  test(':"quoted-name": names with special characters such as - or . are wrapped in double quotes', () => {
    const get = new RestEndpoint({ path: '/a/:"with-dash"/:"with.dot"' })
    expect(get.url({ 'with-dash': 1, 'with.dot': 2 })).toBe('/a/1/2')
  })

  test('{...}: optional segment, including its prefix', () => {
    const get = new RestEndpoint({ path: '/users{/:id}' })
    expect(get.url()).toBe('/users')
    expect(get.url({ id: undefined })).toBe('/users')
    expect(get.url({ id: 5 })).toBe('/users/5')
  })

  test('{...}: several optional segments can be chained with different prefixes ({/:a}{-:b}{-:c})', () => {
    const get = new RestEndpoint({ path: '{/:a}{-:b}{-:c}' })
    expect(get.url({ a: 1 })).toBe('/1')
    expect(get.url({ a: 1, b: 2 })).toBe('/1-2')
    expect(get.url({ a: 1, b: 2, c: 3 })).toBe('/1-2-3')
    expect(get.url({ a: 1, c: 3 })).toBe('/1-3')
  })

  test('{...}: a group needs all of its parameters or none', () => {
    const get = new RestEndpoint({ path: '/x{/:a/:b}' }) as RestEndpoint
    expect(get.url({})).toBe('/x')
    expect(get.url({ a: 1, b: 2 })).toBe('/x/1/2')
    expect(() => get.url({ a: 1 })).toThrow(UrlParamError)
  })

  test('*name: wildcard; matches one or more segments; each element becomes one segment', () => {
    const get = new RestEndpoint({ path: '/files/*path' })
    expect(get.url({ path: ['a', 'b c', 'd/e'] })).toBe('/files/a/b%20c/d%2Fe')
    expect(get.url({ path: ['a'] })).toBe('/files/a')
    expect(() => get.url({ path: [] })).toThrow(UrlParamError)
    expect(() => (get as RestEndpoint).url({ path: 'a' })).toThrow(UrlParamError)
  })

  test('{/*name}: wildcard that matches zero or more segments', () => {
    const get = new RestEndpoint({ path: '/files{/*path}' })
    expect(get.url()).toBe('/files')
    expect(get.url({ path: [] })).toBe('/files')
    expect(get.url({ path: ['a', 'b'] })).toBe('/files/a/b')
  })

  test.each(['{', '}', '(', ')', '*', ':', '\\'])('\\ before %s: required to use it literally', (char) => {
    expect((new RestEndpoint({ path: `/a\\${char}b` }) as RestEndpoint).url()).toBe(`/a${char}b`)
    if (char === ':' || char === '*' || char === '\\') return
    expect(() => new RestEndpoint({ path: `/a${char}b` })).toThrow(OptionError)
  })

  test('B1: ? and +: not special; a query string may be embedded in the path', () => {
    const get = new RestEndpoint({ path: '/search?{q=:q}{&page=:page}' })
    expect(get.url({ q: 'a b', page: 2 })).toBe('/search?q=a%20b&page=2')
    expect(new RestEndpoint({ path: '/a+b/:c' }).url({ c: 1 })).toBe('/a+b/1')
    expect(new RestEndpoint({ path: '/a?b=c' }).url()).toBe('/a?b=c')
  })

  test('a path may hold a scheme and host when the colon is escaped', () => {
    const get = new RestEndpoint({ path: 'https\\://api.test\\:8080/:slug' })
    expect(get.url({ slug: 'a' })).toBe('https://api.test:8080/a')
  })

  test('a template that does not parse is an OptionError at definition, with position and template', () => {
    const define = (): unknown => new RestEndpoint({ path: '/a{/:b' as string })
    expect(define).toThrow(OptionError)
    expect(define).toThrow('/a{/:b')
    const extend = (): unknown => new RestEndpoint({ path: '/a' }).extend({ path: '/:a:b' as string })
    expect(extend).toThrow(OptionError)
  })
})

describe('Versioning', () => {
  test('1. the path template syntax follows version 8 of a common path-pattern syntax', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../core/package.json'), 'utf8'))
    expect(manifest.devDependencies['path-to-regexp']).toMatch(/^\^8\./)
  })
})
