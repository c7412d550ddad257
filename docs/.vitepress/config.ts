import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { headScript } from './frameworks.js'
import { roundtableMarkdown } from './markdown.js'
import { nav, sidebar } from './navigation.js'

// The one place of both addresses is the root's package.json.
const { homepage, repository } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  homepage: string
  repository: { url: string }
}
const repositoryUrl = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

export default defineConfig({
  title: 'Roundtable',
  description: 'REST data as rows, not as responses: one normalized store for React, Vue, Svelte and plain TypeScript.',
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
    config: (md) => roundtableMarkdown(md, repositoryUrl),
    codeTransformers: [
      {
        // A file that is shown whole does not show the marks of its parts.
        preprocess: (code) => code.replace(/^\s*(?:\/\/|<!--) ?#(?:end)?region\b.*\n/gm, '').trimEnd(),
      },
    ],
    headers: { level: [2, 3] },
  },
  vite: {
    // Linked packages are bundled on the server too, with the Vue that the page has.
    ssr: { noExternal: [/^@roundtable\//] },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT licensed' },
  },
})
