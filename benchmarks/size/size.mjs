// What typical imports of the built packages weigh in an application's bundle: minified, gzip and brotli as esbuild
// makes it, and gzip as Vite does. Ours have budgets, for esbuild's gzip; a missed one fails. With --budgets only those
// are weighed.
//
//     npm run size
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { svelte as svelteForVite } from '@sveltejs/vite-plugin-svelte'
import { build as buildWithVite } from 'vite'
import { conditions, imports, weigh } from './weigh.mjs'

const folder = dirname(fileURLToPath(import.meta.url))

const externalForVite = /^(?:react|react-dom|react\/jsx-runtime|vue|svelte|svelte\/.*)$/

const rows = []
const missed = []
const onlyBudgets = process.argv.includes('--budgets')
for (const { name, code, budget } of imports) {
  if (onlyBudgets && budget === undefined) continue
  const { min, gzip, brotli } = await weigh(code)
  const vite = onlyBudgets ? 0 : await weighWithVite(code)
  if (budget !== undefined && gzip > budget) missed.push(`${name}: ${gzip} bytes, budget ${budget}`)
  rows.push([name, kilo(min), kilo(gzip), kilo(vite), kilo(brotli), budget === undefined ? '' : kilo(budget)])
}
print(['import', 'min kB', 'gzip kB', 'by Vite', 'brotli kB', 'budget'], rows)
if (missed.length > 0) {
  console.error(`\nOver budget:\n${missed.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
}

/** Gzipped bytes of what Vite builds, without what an `import()` loads later. */
async function weighWithVite(code) {
  const entry = join(folder, 'import.js')
  const { output } = await buildWithVite({
    configFile: false,
    root: folder,
    logLevel: 'error',
    resolve: { conditions },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      // What is imported later may take from the entry, as it may in an application.
      rollupOptions: { input: entry, external: externalForVite, preserveEntrySignatures: 'allow-extension' },
    },
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
      svelteForVite({ configFile: false, emitCss: false }),
    ],
  })
  const needed = new Set(output.filter(({ isEntry }) => isEntry))
  // A Set that grows while it is walked is walked to its end.
  for (const { imports } of needed) for (const chunk of output) if (imports.includes(chunk.fileName)) needed.add(chunk)
  return [...needed].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}

function kilo(bytes) {
  return (bytes / 1000).toFixed(1)
}

function print(head, rows) {
  const row = (cells) => `| ${cells.join(' | ')} |`
  console.log([row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n'))
}
