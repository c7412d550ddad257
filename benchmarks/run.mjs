// Bundles programs of the node suite as an application's bundler would, for production, and runs the first of them.
//
//     node run.mjs main [--quick]     the suite
//     node run.mjs profile [flat]     where the time of our own primitives goes
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const [program = 'main', ...args] = process.argv.slice(2)
const bundles = mkdtempSync(join(tmpdir(), 'roundtable-bench-'))
process.exitCode = 1
try {
  await build({
    entryPoints: [program, 'heap'].map((name) => join(folder, 'node', `${name}.ts`)),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Ours from its sources, the others as bundlers find them.
    conditions: ['@roundtable/source', 'module'],
    mainFields: ['module', 'main'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'warning',
  })
  const env = { ...process.env, NODE_ENV: 'production', BENCHMARKS: folder, BUNDLES: bundles }
  const child = spawnSync(process.execPath, ['--expose-gc', join(bundles, `${program}.mjs`), ...args], {
    stdio: 'inherit',
    env,
  })
  process.exitCode = child.status ?? 1
} finally {
  rmSync(bundles, { recursive: true, force: true })
}
