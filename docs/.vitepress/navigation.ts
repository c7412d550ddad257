import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { entryFiles, pageOfModule } from './reference/packages.js'

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

/** The pages of the reference that belong to one package, or to one entry point of core. */
const packagePages: Item[] = [...new Set(entryFiles().map(({ module }) => pageOfModule(module)))]
  .filter((path) => path !== undefined)
  .map((path) => ({ text: path, link: `/reference/${path}` }))

/** The pages in the order in which one reads them. Every page of `docs` is here: test/docs checks it. */
export const sidebar: Item[] = [
  {
    text: 'Start',
    items: [
      { text: 'Why rows?', link: '/why-rows' },
      { text: 'React', link: '/start/react' },
      { text: 'Vue', link: '/start/vue' },
      { text: 'Svelte', link: '/start/svelte' },
      { text: 'Script', link: '/start/script' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Reading', link: '/guides/reading' },
      { text: 'Changing', link: '/guides/changing' },
      { text: 'Lists', link: '/guides/lists' },
      { text: 'Pages', link: '/guides/pages' },
      { text: 'Selections', link: '/guides/selections' },
      { text: 'Nested data', link: '/guides/nested-data' },
      { text: 'Rows from a schema', link: '/guides/schemas' },
      { text: 'From an OpenAPI description', link: '/guides/openapi' },
      { text: 'Live', link: '/guides/live' },
      { text: 'Freshness', link: '/guides/freshness' },
      { text: 'Errors', link: '/guides/errors' },
      { text: 'Retry, focus, offline', link: '/guides/retry-focus-offline' },
      { text: 'Offline', link: '/guides/offline' },
      { text: 'HTTP caching and conflicts', link: '/guides/http-caching-and-conflicts' },
      { text: 'Sessions', link: '/guides/sessions' },
      { text: 'Offline, login, live together', link: '/guides/together' },
      { text: 'Outside components', link: '/guides/outside-components' },
      { text: 'Server rendering', link: '/guides/server-rendering' },
      { text: 'Next', link: '/guides/next' },
      { text: 'React Router', link: '/guides/react-router' },
      { text: 'Nuxt', link: '/guides/nuxt' },
      { text: 'SvelteKit', link: '/guides/sveltekit' },
      { text: 'Testing', link: '/guides/testing' },
      { text: 'A backend for tests', link: '/guides/backend' },
      { text: 'Check a server', link: '/guides/check-server' },
      { text: 'Finding out why', link: '/guides/finding-out-why' },
      { text: 'Performance and size', link: '/guides/performance-and-size' },
    ],
  },
  {
    text: 'Recipes',
    items: [
      { text: 'All recipes', link: '/recipes/' },
      { text: 'Infinite list', link: '/recipes/infinite-list' },
      { text: 'A table with page numbers', link: '/recipes/page-numbers' },
      { text: 'Delete with undo', link: '/recipes/delete-with-undo' },
      { text: 'Delete on its own page', link: '/recipes/delete-on-own-page' },
      { text: 'Totals beside a list', link: '/recipes/totals' },
      { text: 'Comment trees', link: '/recipes/comment-trees' },
      { text: 'Login with a profile', link: '/recipes/login-with-profile' },
      { text: 'Upload with progress', link: '/recipes/upload-with-progress' },
      { text: 'Dependent reads', link: '/recipes/dependent-reads' },
      { text: 'Detail after list', link: '/recipes/detail-after-list' },
      { text: 'Dates and money', link: '/recipes/dates-and-money' },
      { text: 'Polymorphic lists', link: '/recipes/polymorphic-lists' },
      { text: 'Slugs', link: '/recipes/slugs' },
      { text: 'Soft deletes', link: '/recipes/soft-deletes' },
      { text: 'Nested creates', link: '/recipes/nested-creates' },
      { text: 'Keep the focus', link: '/recipes/keep-focus' },
      { text: 'Drag and drop', link: '/recipes/drag-and-drop' },
      { text: 'Results that servers share', link: '/recipes/shared-results' },
      { text: 'GraphQL, Electric, Supabase', link: '/recipes/live-sources' },
      { text: 'The first load', link: '/recipes/first-load' },
      { text: 'Another framework', link: '/recipes/another-framework' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Overview', link: '/reference/' },
      { text: 'Controller', link: '/reference/controller' },
      { text: 'Endpoints', link: '/reference/endpoints' },
      { text: 'Schemas', link: '/reference/schemas' },
      { text: 'Schema kinds', link: '/guides/schema-kinds' },
      { text: 'Errors', link: '/reference/errors' },
      { text: 'Errors by code', link: '/errors/', collapsed: true, items: errorPages },
      { text: 'Types', link: '/reference/types' },
      ...packagePages,
    ],
  },
  {
    text: 'Coming from',
    items: [
      { text: 'data-client', link: '/coming-from/data-client' },
      { text: 'TanStack Query', link: '/coming-from/tanstack-query' },
      { text: 'SWR', link: '/coming-from/swr' },
      { text: 'RTK Query', link: '/coming-from/rtk-query' },
      { text: 'Apollo Client', link: '/coming-from/apollo' },
    ],
  },
  {
    text: 'About',
    items: [
      { text: 'Comparison', link: '/comparison' },
      { text: 'Support and versions', link: '/support' },
    ],
  },
]

export const nav: { text: string; link: string; activeMatch: string }[] = [
  { text: 'Quick start', link: '/start/react', activeMatch: '^/start/' },
  { text: 'Guides', link: '/guides/reading', activeMatch: '^/guides/' },
  { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/(?:reference|errors)/' },
]
