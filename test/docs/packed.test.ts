import { describe, expect, test } from 'vitest'
import { packedText } from '../../scripts/release/pack.mjs'

const placeholders = ['https://roundtable.example', 'https://github.com/roundtable/roundtable'] as const
const real = ['https://docs.mine.dev', 'https://github.com/mine/it'] as const

describe('a link of a page that a package has', () => {
  test.each([
    ['[a](../../docs/start/vue.md)', '[a](https://docs.mine.dev/start/vue)'],
    ['[a](../../docs/guides/lists.md#move)', '[a](https://docs.mine.dev/guides/lists#move)'],
    ['[a](../../docs/recipes/index.md)', '[a](https://docs.mine.dev/recipes/)'],
    ['[a](../../docs/README.md)', '[a](https://docs.mine.dev/)'],
    ['[a](../../CHANGELOG.md)', '[a](https://github.com/mine/it/blob/main/CHANGELOG.md)'],
    ['[a](https://vuejs.org), [b](#c)', '[a](https://vuejs.org), [b](#c)'],
  ])('%s leads to the site or the repository', (link, packed) => {
    expect(packedText(link, 'adapters/vue/README.md', real)).toBe(packed)
  })

  test.each([
    ['[`a`](../docs/start/script.md)', '`a` (`docs/start/script.md` in the repository)'],
    ['[a](../README.md), [b](src/util/errors.ts#B)', 'a, b'],
  ])('%s is text while there is no site', (link, packed) => {
    expect(packedText(link, 'core/README.md', placeholders)).toBe(packed)
  })

  test.each([placeholders, real])('leads to what the package has, with the site %s', (...addresses) => {
    expect(packedText('[a](../docs/errors/index.md)', 'core/README.md', addresses)).toBe('[a](docs/errors/index.md)')
    expect(packedText('[a](TIMEOUT.md)', 'docs/errors/index.md', addresses)).toBe('[a](TIMEOUT.md)')
  })

  test('stays as it is in code', () => {
    const code = '```md\n[a](../CHANGELOG.md)\n```'
    expect(packedText(code, 'core/README.md', real)).toBe(code)
  })
})
