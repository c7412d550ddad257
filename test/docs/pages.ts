import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The folders of `docs` whose pages somebody has written; the reference is generated. */
const written = /^(?!node_modules|\.vitepress|reference|public|snippets)/

/** The written pages of the site, relative to `docs`. */
export const sitePages: readonly string[] = readdirSync(join(root, 'docs'), { withFileTypes: true })
  .filter(({ name }) => written.test(name))
  .flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name]
    const files = readdirSync(join(root, 'docs', entry.name), { recursive: true, encoding: 'utf8' })
    return files.map((file) => join(entry.name, file))
  })
  .filter((file) => file.endsWith('.md'))
