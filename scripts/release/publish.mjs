// Publishes the packages whose version the registry does not have, after all checks. `npm run publish-packages` is run
// by the release workflow.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPlaceholders } from './addresses.mjs'

const root = join(import.meta.dirname, '../..')
const unset = withPlaceholders(root)
if (unset.length > 0) {
  console.error(
    `Nothing is published: the addresses of the site and the repository are placeholders in ${unset.join(', ')}.`,
  )
  console.error('Set them: node scripts/release/addresses.mjs https://your.site https://github.com/you/your-repository')
  process.exit(1)
}
run('npm', ['test'])
run('npm', ['run', 'test:packages'])
run(process.execPath, [join(import.meta.dirname, 'node_modules/@changesets/cli/bin.js'), 'publish'])

publishCodemods()

/** They are not a workspace, since only users who migrate need their dependencies, so Changesets does not see them. */
function publishCodemods() {
  const folder = join(root, 'codemods')
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', ['view', `${name}@${version}`, 'version', '--json'], { shell, stdio: 'ignore' })
  // npm fails for a version that is not there, and for a package that was never published.
  if (status !== 0) run('npm', ['publish', folder])
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
