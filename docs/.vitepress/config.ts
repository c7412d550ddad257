import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { headScript } from './frameworks.js'
import { writeForPrograms } from './llms.js'
import { roundtableMarkdown } from './markdown.js'
import { nav, sidebar } from './navigation.js'
import { TypeHover } from './types/hover.js'
import { writePages } from './written/pages.js'

// The one place of both addresses is the root's package.json.
const { homepage, repository } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  homepage: string
  repository: { url: string }
}
const repositoryUrl = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

const description =
  'REST data as rows, not as responses: one normalized store for React, Vue, Svelte and plain TypeScript.'

const types = new TypeHover()

export default defineConfig({
  title: 'Roundtable',
  description,
  lang: 'en',
  cleanUrls: true,
  srcExclude: ['README.md'],
  sitemap: { hostname: homepage },
  head: [
    ['script', {}, headScript],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }],
    ['meta', { name: 'theme-color', content: '#9d2a6b' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => roundtableMarkdown(md, repositoryUrl, types),
    codeTransformers: [types.transformer],
    headers: { level: [2, 3] },
  },
  transformHtml: (html) => corrected(html),
  buildEnd: ({ outDir }) => {
    types.save()
    writeForPrograms(outDir, homepage, description)
  },
  vite: {
    plugins: [
      {
        name: 'snippets',
        // While the site is served, pages follow the files of their code.
        configureServer: ({ watcher }) => {
          watcher.on('change', (file) => {
            if (file.startsWith(join(import.meta.dirname, '../snippets'))) writePages()
          })
        },
      },
    ],
    // The largest is the index of the search, which is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 4_000 },
    // Linked packages are bundled on the server too, with the Vue that the page has.
    ssr: { noExternal: [/^@roundtable\//] },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [...nav, { text: 'GitHub', link: repositoryUrl }],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT licensed' },
  },
})

/**
 * What VitePress would only put right when the page is interactive, which would move the bar; and a label of its
 * anchors.
 */
function corrected(html: string): string {
  const classes = html.includes('VPContent has-sidebar') ? ' has-sidebar' : html.includes('is-home') ? ' home top' : ''
  return html.replace('class="VPNavBar"', `class="VPNavBar${classes}"`).replace(/ \{#[\w.-]+\}&quot;/g, '&quot;')
}
