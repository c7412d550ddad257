import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A page or a group of pages. VitePress' own type is not imported: tests read this file without VitePress. */
interface Item {
  text: string
  link?: string
  collapsed?: boolean
  items?: Item[]
}

/** The pages of `docs/errors`, one for each code. */
const errorPages: Item[] = readdirSync(join(import.meta.dirname, '../errors'))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((code) => code !== 'index')
  .map((code) => ({ text: code, link: `/errors/${code}` }))

/** The pages in the order in which one reads them. Every page of `docs` is here: test/docs checks it. */
export const sidebar: Item[] = [
  {
    text: 'Quick start',
    items: [
      { text: 'React', link: '/start/react' },
      { text: 'Vue', link: '/start/vue' },
      { text: 'Svelte', link: '/start/svelte' },
      { text: 'Script', link: '/start/script' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Nested data', link: '/guides/nested-data' },
      { text: 'Outside components', link: '/guides/outside-components' },
      { text: 'Lists and optimistic changes', link: '/guides/lists-and-optimistic-changes' },
      { text: 'Selections', link: '/guides/selections' },
      { text: 'Pagination', link: '/guides/pagination' },
      { text: 'Search to infinite list', link: '/guides/search-to-infinite-list' },
      { text: 'Live data', link: '/guides/live-data' },
      { text: 'Freshness and errors', link: '/guides/freshness-and-errors' },
      { text: 'Retry, focus, offline', link: '/guides/retry-focus-offline' },
      { text: 'HTTP caching and conflicts', link: '/guides/http-caching-and-conflicts' },
      { text: 'Authentication', link: '/guides/authentication' },
      { text: 'Server rendering', link: '/guides/server-rendering' },
      { text: 'Testing', link: '/guides/testing' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Overview', link: '/reference/' },
      { text: 'Controller', link: '/reference/controller' },
      { text: 'Endpoints', link: '/reference/endpoints' },
      { text: 'Schemas', link: '/reference/schemas' },
      { text: 'The twelve schema kinds', link: '/guides/schema-kinds' },
      { text: 'Errors', link: '/reference/errors' },
      { text: 'Errors by code', link: '/errors/', collapsed: true, items: errorPages },
      { text: 'Types', link: '/reference/types' },
      { text: 'React', link: '/reference/react' },
      { text: 'Vue', link: '/reference/vue' },
      { text: 'Svelte', link: '/reference/svelte' },
      { text: 'core/http', link: '/reference/http' },
      { text: 'core/hydration', link: '/reference/hydration' },
      { text: 'core/nanostores', link: '/reference/nanostores' },
      { text: 'core/testing', link: '/reference/testing' },
    ],
  },
  {
    text: 'About',
    items: [{ text: 'Support and versions', link: '/support' }],
  },
]

export const nav: { text: string; link: string; activeMatch: string }[] = [
  { text: 'Quick start', link: '/start/react', activeMatch: '^/start/' },
  { text: 'Guides', link: '/guides/lists-and-optimistic-changes', activeMatch: '^/guides/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/(?:reference|errors)/' },
]
