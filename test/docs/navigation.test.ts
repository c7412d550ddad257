import { expect, test } from 'vitest'
import { sidebar } from '../../docs/.vitepress/navigation.js'
import { sitePages } from '../../docs/.vitepress/written/pages.js'

test('every page is in the navigation of the site, and leads somewhere', () => {
  const links = sidebar.flatMap(({ items = [] }) =>
    items.flatMap(({ link = '', items = [] }) => [link, ...items.map(({ link = '' }) => link)]),
  )
  const own = links
    .filter((link) => !/^$|^\/reference\//.test(link))
    .map((link) => `${link.slice(1)}.md`.replace('/.md', '/index.md'))
  const pages = sitePages.filter((page) => page !== 'README.md' && page !== 'index.md')
  expect([...own].sort()).toEqual([...pages].sort())
})
