// Bundles the simulation, without Vitest, and runs it over seeds that `npm test` does not try.
//
//     npm run simulate                           for a minute, from a random seed on
//     npm run simulate -- --minutes 10
//     npm run simulate -- --start 1000000        from this seed on
//     npm run simulate -- --seed 4711            everything about one seed
//     npm run simulate -- --only programs,http   some of programs, laws, http, live, offline, graphs, tabs
//
// NODE_ENV=production tries the code that applications ship.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'roundtable-simulate-'))
const bundle = join(folder, 'search.mjs')

await build({
  entryPoints: [join(root, 'test', 'simulation', 'search.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  conditions: ['@roundtable/source', 'module'],
  mainFields: ['module', 'main'],
  define: { 'process.env.NODE_ENV': JSON.stringify(process.env.NODE_ENV ?? 'development') },
  logLevel: 'warning',
})
const search = spawn(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], { stdio: 'inherit' })
// Ctrl-C ends both: the search first, which then prints how far it got.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => search.kill(signal))
search.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
