import { expect, test, vi } from 'vitest'
import { shortenPath } from '../../core/src/path/shorten.js'
import { template } from '../../core/src/path/template.js'
import { corpus } from './path-corpus.js'

vi.spyOn(console, 'warn').mockImplementation(() => {})

test.each(corpus)('%j has the params %j', (source, names) => {
  expect([...template(source).names]).toEqual(names)
})

test.each(corpus)('%j with the params %j has the list path %j', (source, _names, list) => {
  expect(shortenPath(source)).toBe(list)
})

test.each(corpus)('the list path of %j is a template too', (source) => {
  const left = [...template(shortenPath(source)).names]
  expect([...template(source).names]).toEqual(expect.arrayContaining(left))
})

// Every sign of ASCII behind a name: the types know the same ones as the run time.
const signs = ' !#%&\'+,-./;<=>?@[]^`|~"'

test.each([...signs])('a name ends at %j', (sign) => {
  expect([...template(`/:name${sign}x`).names]).toEqual(['name'])
})
