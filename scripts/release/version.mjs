// Gives all packages the next version: what the changesets ask for, once. `npm run version-packages` is run by the
// release workflow, and leaves its changes to be committed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The project's root; a test has one of its own. */
const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const today = process.argv[3] ?? new Date().toISOString().slice(0, 10)
const ours = /^@roundtable\//

const packages = [
  'core',
  'devtools',
  'openapi',
  'compat/data-client',
  'adapters/react',
  'adapters/vue',
  'adapters/svelte',
]
  .map((folder) => join(root, folder, 'package.json'))
  .filter(existsSync)

// A package is of one version with its peers, since what they share inside has no public names. Changesets would make
// each minor version a major one for that: a peer whose range ends is a breaking change to it. So it does not see the
// ranges.
for (const file of packages) edit(file, (manifest) => setPeers(manifest, '*'))
run(process.execPath, [join(import.meta.dirname, 'node_modules/@changesets/cli/bin.js'), 'version'])
const { version } = read(packages[0])
for (const file of packages) edit(file, (manifest) => setPeers(manifest, version))

for (const folder of ['.', 'codemods']) {
  edit(join(root, folder, 'package.json'), (manifest) => {
    manifest.version = version
  })
}
for (const file of applications()) edit(file, (manifest) => setAll(manifest.dependencies, version))
for (const file of applications()) {
  edit(file.replace('package.json', 'package-lock.json'), ({ packages: installed }) => {
    setAll(installed[''].dependencies, version)
    for (const name of Object.keys(installed)) {
      if (ours.test(name.replace('node_modules/', ''))) installed[name].version = version
    }
  })
}
nameRelease(join(root, 'CHANGELOG.md'))
run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'])

/** Applications that install our packages by their version. */
function applications() {
  const examples = join(root, 'examples/ssr')
  const folders = existsSync(examples) ? readdirSync(examples).map((name) => join(examples, name)) : []
  return [...folders, join(root, 'test/packages/consumers'), join(root, 'test/packages/openapi')]
    .map((folder) => join(folder, 'package.json'))
    .filter(existsSync)
}

function setPeers({ peerDependencies = {}, devDependencies = {} }, range) {
  setAll(peerDependencies, range)
  setAll(devDependencies, range)
}

function setAll(dependencies = {}, range) {
  for (const name of Object.keys(dependencies)) if (ours.test(name)) dependencies[name] = range
}

/** Dates the unreleased entries: they are this version's, of today. */
function nameRelease(file) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('## [Unreleased]\n\n#'))
    throw new Error(`${file} has nothing under [Unreleased]: write what users get.`)
  writeFileSync(file, text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`))
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function edit(file, change) {
  const content = read(file)
  change(content)
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`)
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
