// What typical imports weigh in an application's bundle: minified, gzip and brotli. Ours have budgets, for brotli; a missed one fails.
//
//     npm run size
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { compile, compileModule } from 'svelte/compiler'

const folder = dirname(fileURLToPath(import.meta.url))
const { imports } = JSON.parse(readFileSync(join(folder, 'imports.json'), 'utf8'))

/** Frameworks are there anyway. */
const external = ['react', 'react-dom', 'react/jsx-runtime', 'vue', 'svelte', 'svelte/*']

/** What an application's own Svelte plugin does with components and with modules that have runes. */
const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const { js } = compile(readFileSync(path, 'utf8'), { filename: path, css: 'injected' })
      return { contents: js.code }
    })
    onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts', target: 'es2022' })
      return { contents: compileModule(code, { filename: path }).js.code }
    })
  },
}

const rows = []
const missed = []
for (const { name, code, budget } of imports) {
  const { min, gzip, brotli } = await weigh(code)
  if (budget !== undefined && brotli > budget) missed.push(`${name}: ${brotli} bytes, budget ${budget}`)
  rows.push([name, kilo(min), kilo(gzip), kilo(brotli), budget === undefined ? '' : kilo(budget)])
}
print(['import', 'min kB', 'gzip kB', 'brotli kB', 'budget'], rows)
if (missed.length > 0) {
  console.error(`\nOver budget:\n${missed.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
}

async function weigh(code) {
  const result = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    conditions: ['@roundtable/source', 'module', 'browser', 'svelte', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external,
    plugins: [svelte],
    legalComments: 'none',
    logLevel: 'error',
  })
  const [{ contents }] = result.outputFiles
  return {
    min: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents).length,
  }
}

function kilo(bytes) {
  return (bytes / 1000).toFixed(1)
}

function print(head, rows) {
  const row = (cells) => `| ${cells.join(' | ')} |`
  console.log([row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n'))
}
