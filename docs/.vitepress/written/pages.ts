import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenText } from './text.js'

const root = join(import.meta.dirname, '../../..')

/** The folders of `docs` whose pages somebody has written; the reference is generated. */
const own = /^(?!node_modules|\.vitepress|reference|public|snippets)/

/** The written pages of the site, relative to `docs`. */
export const sitePages: readonly string[] = readdirSync(join(root, 'docs'), { withFileTypes: true })
  .filter(({ name }) => own.test(name))
  .flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name]
    const files = readdirSync(join(root, 'docs', entry.name), { recursive: true, encoding: 'utf8' })
    return files.map((file) => join(entry.name, file))
  })
  .filter((file) => file.endsWith('.md'))

/** The folders of the packages that users import, and whose pages and comments have examples. */
export const packageFolders = [
  'core',
  'adapters/react',
  'adapters/vue',
  'adapters/svelte',
  'openapi',
  'compat/data-client',
] as const

/** Every file that users read, relative to the repository: the site's pages, the READMEs, and the skills. */
export const readPages: readonly string[] = [
  'README.md',
  ...sitePages.map((file) => join('docs', file)),
  ...readdirSync(join(root, 'core/skills')).map((name) => `core/skills/${name}/SKILL.md`),
  ...packageFolders.map((folder) => `${folder}/README.md`),
]

/** Writes into the pages what they take from elsewhere. */
export function writePages(): { readonly written: readonly string[]; readonly problems: readonly string[] } {
  const written: string[] = []
  const problems: string[] = []
  for (const page of readPages) {
    const source = readFileSync(join(root, page), 'utf8')
    const result = writtenText(source, page)
    problems.push(...result.problems.map((problem) => `${page}:${problem}`))
    if (result.text === source) continue
    writeFileSync(join(root, page), result.text)
    written.push(page)
  }
  return { written, problems }
}
