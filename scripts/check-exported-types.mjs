// Packs the package in the folder it is given and checks that every entry resolves to types that match its code.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'

/** ESM only: resolution without export maps, and require, are not offered. */
const notOffered = new Set(['node10', 'node16-cjs'])

const target = mkdtempSync(join(tmpdir(), 'roundtable-pack-'))
const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target]
const packed = execFileSync('npm', args, {
  cwd: resolve(process.argv[2] ?? '.'),
  encoding: 'utf8',
  shell: process.platform === 'win32',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [{ filename }] = Object.values(JSON.parse(packed))
const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(join(target, filename))))
rmSync(target, { recursive: true, force: true })

const result = await checkPackage(tarball)
const problems = result.types ? result.problems : [{ kind: 'NoTypes' }]
const found = problems.filter(({ resolutionKind }) => !notOffered.has(resolutionKind))
for (const problem of found) console.error(JSON.stringify(problem))
process.exitCode = found.length > 0 ? 1 : 0
