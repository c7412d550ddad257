// Run by npm in the folder of a package, before it is packed (`prepack`) and, with --undo, afterwards (`postpack`).
// Core gets the pages of its errors, which its messages name. Links to what the package does not have lead to the site
// and the repository instead; while their addresses are placeholders, they become text.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { placeholders } from './addresses.mjs'

const root = join(import.meta.dirname, '../..')

/** Where the pages of errors are, in the repository and in core's package. */
const errors = 'docs/errors'

/**
 * The text of a page as a package has it.
 *
 * @param page - where it is in the repository, as `core/README.md`
 * @param addresses - of the site and of the repository
 */
export function packedText(text, page, [site, repository] = addresses()) {
  return text
    .split(/^( *`{3,}[\s\S]*?^ *`{3,}$)/m)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, packedLink)))
    .join('')

  function packedLink(link, label, href) {
    if (/^(?:[a-z]+:|#)/.test(href)) return link
    const [file, hash] = href.split('#')
    const target = join(dirname(page), file).replaceAll('\\', '/')
    if (target.startsWith(`${errors}/`) && /^(?:core|docs)\//.test(page)) {
      return `[${label}](${page.startsWith('docs/') ? href : target})`
    }
    if (site !== placeholders[0]) return `[${label}](${addressOf(target)}${hash === undefined ? '' : `#${hash}`})`
    return /^README|\/src\//.test(target) ? label : `${label} (\`${target}\` in the repository)`
  }

  function addressOf(target) {
    if (!/^docs\/.*\.md$/.test(target)) return `${repository}/blob/main/${target}`
    return `${site}/${target.replace(/^docs\/|\.md$/g, '').replace(/^README$|(?<=^|\/)index$/, '')}`
  }
}

function addresses() {
  const { homepage, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return [homepage, repository.url.replace(/^git\+|\.git$/g, '')]
}

/** npm packs the README.md of the folder itself, whatever `files` says. */
const original = '.readme.orig'

function prepare(folder) {
  undo()
  const readme = readFileSync('README.md', 'utf8')
  cpSync('README.md', original)
  writeFileSync('README.md', packedText(readme, `${folder}/README.md`))
  if (folder !== 'core') return
  mkdirSync(errors, { recursive: true })
  for (const file of readdirSync(join(root, errors))) {
    const page = `${errors}/${basename(file)}`
    writeFileSync(page, packedText(readFileSync(join(root, page), 'utf8'), page))
  }
}

/** Also files that an interrupted run left behind. */
function undo() {
  if (existsSync(original)) renameSync(original, 'README.md')
  rmSync('docs', { recursive: true, force: true })
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--undo')) undo()
  else prepare(relative(root, process.cwd()).replaceAll('\\', '/'))
}
