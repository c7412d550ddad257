// The addresses of the site and of the repository, which each package and the messages of errors contain. To set them
// everywhere: node scripts/release/addresses.mjs https://docs.mine.dev https://github.com/mine/roundtable
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The addresses until the first release. */
export const placeholders = ['https://roundtable.example', 'https://github.com/roundtable/roundtable']

/** Until there is a site, messages name the page that core's package has. */
const packedErrorPage = /node_modules\/@roundtable\/core\/docs\/errors\/(\$\{code\})\.md/

const files = [
  'package.json',
  ...[
    'core',
    'devtools',
    'openapi',
    'compat/data-client',
    'codemods',
    'adapters/react',
    'adapters/vue',
    'adapters/svelte',
  ].map((folder) => `${folder}/package.json`),
  'core/src/util/error-page.ts',
]

/** The files that still contain a placeholder address. */
export function withPlaceholders(root) {
  return files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return packedErrorPage.test(text) || placeholders.some((address) => text.includes(address))
  })
}

function setAddresses(root, given) {
  const [site, repository] = given.map((address) => new URL(address).href.replace(/\/$|\.git$/g, ''))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const current = [manifest.homepage, manifest.repository.url.replace(/^git\+|\.git$/g, '')]
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    const set = text
      .replace(packedErrorPage, `${site}/errors/$1`)
      .replaceAll(current[0], site)
      .replaceAll(current[1], repository)
    writeFileSync(join(root, file), set)
  }
}

if (process.argv[1] === import.meta.filename) {
  const [site, repository, root = join(import.meta.dirname, '../..')] = process.argv.slice(2)
  if (!site || !repository) {
    console.error(
      'Both addresses: node scripts/release/addresses.mjs https://docs.mine.dev https://github.com/mine/roundtable',
    )
    process.exit(1)
  }
  setAddresses(resolve(root), [site, repository])
}
