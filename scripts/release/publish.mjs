// Publishes the packages whose version the registry does not have, after all checks. `npm run publish-packages` is run by the release workflow.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
run('npm', ['test'])
run('npm', ['run', 'test:packages'])
run(process.execPath, [join(import.meta.dirname, 'node_modules/@changesets/cli/bin.js'), 'publish'])

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
