import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { readEntryPoints } from '../../docs/.vitepress/reference/read.js'
import { sitePages } from '../../docs/.vitepress/written/pages.js'
import { shownFiles } from '../docs/snippets.js'
import { dist, htmlOf, pageAddresses } from './dist.js'

const pages = new Map(pageAddresses().map((address) => [address, htmlOf(address) ?? '']))
const ids = new Map(
  [...pages].map(([address, html]) => [address, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
)

const entries = readEntryPoints()

test('every link within the site leads to a page, and to a place on it', () => {
  const dead: string[] = []
  for (const [address, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site.test${address}`)
      if (url.host !== 'site.test' || /\.(?:txt|png|svg)$/.test(url.pathname)) continue
      const place = ids.get(url.pathname)
      const isThere = place && (url.hash === '' || place.has(decodeURIComponent(url.hash.slice(1))))
      if (!isThere) dead.push(`${address}: ${href}`)
    }
  }
  expect(pages.size).toBeGreaterThan(40)
  expect(dead).toEqual([])
})

test('no page shows what was meant for the generator', () => {
  const left = [...pages].filter(([, html]) =>
    /&lt;&lt;&lt; @|:::|@\/snippets| \{#[\w.]+\}|<p><strong>(?:React|Vue|Svelte|Script)[\w, ]*<\/strong><\/p>/.test(
      html,
    ),
  )
  expect(left.map(([address]) => address)).toEqual([])
})

test('every page has one heading of the first level, and no id twice', () => {
  const wrong = [...pages].filter(([, html]) => {
    const all = [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map(([, id]) => id)
    return html.match(/<h1[ >]/g)?.length !== 1 || new Set(all).size !== all.length
  })
  expect(wrong.map(([address]) => address)).toEqual([])
})

test('code that is a file of the snippets knows the types of its names', () => {
  const without = sitePages.flatMap((page) => {
    const shown = shownFiles(readFileSync(join(dist, '../..', page), 'utf8')).map((file) => basename(file))
    const html = htmlOf(`/${page.replace(/(?:index)?\.md$/, '')}`) ?? ''
    const blocks = [...html.matchAll(/<div class="file-name">([^<]+)<\/div>([\s\S]*?)<\/pre>/g)]
    return blocks.flatMap(([, name = '', code = '']) =>
      shown.includes(name) && /\.(?:tsx?|vue|svelte)$/.test(name) && !code.includes('data-type')
        ? [`${page}: ${name}`]
        : [],
    )
  })
  expect(without).toEqual([])
})

test.each(['llms.txt', 'llms-full.txt'])('%s has every exported name', (file) => {
  const text = readFileSync(join(dist, file), 'utf8')
  const words = new Set(text.match(/[\w$]+/g))
  const names = entries.flatMap(({ exports }) => exports.map(({ name }) => name.split('.').at(-1) ?? ''))
  expect(names.length).toBeGreaterThan(150)
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
