// Installs what is missing, and nothing when nothing is: packages, with --in=docs also those of a folder that has a
// lock file of its own, and with --browser a Chromium for the browser tests.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './chromium.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

requireNode(20, 19)
installPackages(root)
for (const option of process.argv) if (option.startsWith('--in=')) installPackages(join(root, option.slice(5)))
if (process.argv.includes('--browser')) installBrowser()

function requireNode(major, minor) {
  const [hasMajor = 0, hasMinor = 0] = process.versions.node.split('.').map(Number)
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return
  console.error(`Roundtable needs Node ${major}.${minor} or newer; this is ${process.version}.`)
  process.exit(1)
}

/** The stamp names the lock file and the Node version for which the packages were installed. */
function installPackages(folder) {
  const stampFile = join(folder, 'node_modules', '.roundtable-setup')
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).update(`${process.version} ${process.platform} ${process.arch}`)
  const wanted = stamp.digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  console.log(`Installing packages${folder === root ? '' : ` of ${relative(root, folder)}`} (npm ci) …`)
  if (!run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })) {
    console.error('npm ci failed: its message above says why. Nothing else was changed.')
    process.exit(1)
  }
  writeFileSync(stampFile, wanted)
}

/** A missing browser is not a failure: the browser tests are skipped and report it. */
function installBrowser() {
  if (findChromium()) return
  if (canUseApt()) {
    console.log('Installing Chromium for the browser tests (apt-get) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const isInstalled =
      run('apt-get', ['update'], { env, quiet: true }) &&
      run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, quiet: true })
    if (isInstalled && findChromium()) return
  }
  console.log('No Chromium found: the browser tests are skipped. Install one, or set CHROMIUM_PATH to its program.')
}

function canUseApt() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
}

/** True if the command succeeded; its output is shown, or with `quiet` only its errors. */
function run(command, args, { cwd = root, env = process.env, quiet = false } = {}) {
  const shell = process.platform === 'win32'
  const stdio = ['ignore', quiet ? 'ignore' : 'inherit', 'inherit']
  return spawnSync(command, args, { cwd, env, shell, stdio }).status === 0
}
