// What happens with a list that a server keeps true, beside TanStack Query, RTK Query, SWR and SvelteKit, in Chromium;
// writes ../results/live.json.
//
//     npm run bench:live
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { findChromium } from '../../scripts/chromium.mjs'
import { type Findings, runChecks } from './checks.js'
import { KitServer } from './kit-server.js'
import { Server } from './server.js'

const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')
const bundles = mkdtempSync(join(tmpdir(), 'roundtable-bench-live-'))
const libraries = {
  Roundtable: 'roundtable',
  'TanStack Query': 'tanstack-query',
  'RTK Query': 'rtk-query',
  SWR: 'swr',
}

try {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  const findings: Record<string, Findings & { readonly lines: number }> = {}
  for (const [library, name] of Object.entries(libraries)) {
    const script = await bundle(name)
    const lines = linesOf(`pages/${name}.tsx`)
    findings[library] = { ...(await runChecks(executablePath, () => new Server(script))), lines }
    console.log(library, findings[library])
  }
  const lines = linesOf('kit/src/routes/+page.svelte') + linesOf('kit/src/routes/items.remote.js')
  findings.SvelteKit = { ...(await runChecks(executablePath, () => new KitServer())), lines }
  console.log('SvelteKit', findings.SvelteKit)
  const run = { date: new Date().toISOString().slice(0, 10), findings }
  writeFileSync(join(folder, '../results/live.json'), `${JSON.stringify(run, null, 2)}\n`)
} finally {
  rmSync(bundles, { recursive: true, force: true })
}

/** Lines of code that the user writes: without imports, comments and what shows the list. */
function linesOf(file: string): number {
  const text = readFileSync(join(folder, file), 'utf8')
  const [, code = ''] = /\/\/ #region code\n([\s\S]*?)\/\/ #endregion code/.exec(text) ?? []
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

/** As applications are bundled: ours from its sources, the others as bundlers find them. */
async function bundle(name: string): Promise<string> {
  await build({
    entryPoints: [join(folder, 'pages', `${name}.tsx`)],
    outdir: bundles,
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@roundtable/source', 'module'],
    mainFields: ['module', 'main'],
    nodePaths: ['core/node_modules', 'node_modules'].map((path) => join(root, path)),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  return readFileSync(join(bundles, `${name}.js`), 'utf8')
}
