// Installs the examples of examples/ssr, and the applications of test/packages, outside of the checkout, as their users
// would: with npm ci, from their lock files, and with our packages as npm pack makes them. With names it renews their
// lock files: node scripts/install-examples.mjs next consumers openapi
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, turboBuild } from './checks.mjs'

/** Kept between runs, so that only changes are installed. */
export const folder = join(tmpdir(), `roundtable-ssr-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`)
const sourceOf = (name) => join(root, applications.includes(name) ? 'test/packages' : 'examples/ssr', name)
const applications = ['consumers', 'openapi']
const packages = ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte', 'compat/data-client', 'openapi']
/** Folders that builds make, which are not copied. */
const made = ['node_modules', '.next', '.nuxt', '.output', '.svelte-kit', '.react-router', 'build', 'dist']

/** Builds and packs our packages. @returns what is known of each by its name, with the path of its tarball */
export function packPackages() {
  const tarballs = join(folder, 'packages')
  rmSync(tarballs, { recursive: true, force: true })
  mkdirSync(tarballs, { recursive: true })
  execute(process.execPath, turboBuild(...packages.map((path) => `--filter=./${path}`)), root)
  return packages.map((path) => {
    const { name, version, bin, dependencies, peerDependencies, peerDependenciesMeta } = read(
      join(root, path, 'package.json'),
    )
    const [{ filename }] = JSON.parse(
      execute('npm', ['pack', '--json', '--pack-destination', tarballs], join(root, path)),
    )
    const resolved = pathToFileURL(join(tarballs, filename)).href
    return { name, version, bin, resolved, dependencies, peerDependencies, peerDependenciesMeta }
  })
}

/** Copies an example and installs it, unless it is there and nothing has changed. */
export function installExample(name, packed) {
  const target = join(folder, name)
  copy(name, target)
  const lock = read(join(target, 'package-lock.json'))
  for (const own of packed) {
    const key = `node_modules/${own.name}`
    // Tarballs differ with each build, so the lock file omits them.
    if (lock.packages[key]) lock.packages[key] = own
  }
  const text = JSON.stringify(lock, undefined, 2)
  writeFileSync(join(target, 'package-lock.json'), text)
  const stampFile = join(target, 'node_modules/.roundtable-setup')
  const stamp = createHash('sha256').update(text).update(process.version)
  for (const { resolved } of packed) stamp.update(readFileSync(new URL(resolved)))
  const wanted = stamp.digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], target)
  writeFileSync(stampFile, wanted)
}

/** Copies everything again except installed packages. */
function copy(name, target) {
  mkdirSync(target, { recursive: true })
  for (const file of readdirSync(target)) {
    if (file !== 'node_modules') rmSync(join(target, file), { recursive: true })
  }
  cpSync(sourceOf(name), target, {
    recursive: true,
    filter: (path) => !made.some((part) => path.endsWith(`/${part}`)),
  })
}

/** Resolves the versions of an example's dependencies again, and writes its lock file. */
function renewLock(name, packed) {
  const target = join(folder, name)
  copy(name, target)
  const file = join(target, 'package.json')
  const manifest = read(file)
  for (const own of packed) {
    if (manifest.dependencies[own.name]) manifest.dependencies[own.name] = own.resolved
  }
  writeFileSync(file, JSON.stringify(manifest))
  rmSync(join(target, 'package-lock.json'), { force: true })
  execute('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], target)
  const lock = read(join(target, 'package-lock.json'))
  for (const own of packed) {
    if (!manifest.dependencies[own.name]) continue
    lock.packages[''].dependencies[own.name] = own.version
    const { resolved: _, integrity: __, ...others } = lock.packages[`node_modules/${own.name}`]
    lock.packages[`node_modules/${own.name}`] = others
  }
  addOtherPlatforms(lock.packages)
  writeFileSync(join(sourceOf(name), 'package-lock.json'), `${JSON.stringify(lock, undefined, 2)}\n`)
}

/** Some registries have the binaries of their own platform only; npm ci wants an entry for each. */
function addOtherPlatforms(packages) {
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const [, os, cpu] =
        /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(\w+)/.exec(name) ?? []
      if (os) packages[`node_modules/${name}`] ??= { version, cpu: [cpu], optional: true, os: [os] }
    }
  }
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Runs a command to its end, and returns its output. */
function execute(command, args, cwd) {
  const shell = process.platform === 'win32'
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, shell, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`)
  return stdout
}

if (process.argv[1] === import.meta.filename) {
  const packed = packPackages()
  for (const name of process.argv.slice(2)) renewLock(name, packed)
}
