// How much code weighs in an application's bundle, as esbuild makes it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { compile, compileModule } from 'svelte/compiler'

const folder = dirname(fileURLToPath(import.meta.url))

/** The imports that are weighed: name, code, and ours with a budget. */
export const { imports } = JSON.parse(readFileSync(join(folder, 'imports.json'), 'utf8'))

/** Frameworks are there anyway. */
const external = ['react', 'react-dom', 'react/jsx-runtime', 'vue', 'svelte', 'svelte/*']
export const conditions = ['module', 'browser', 'svelte', 'production']

/** What an application's own Svelte plugin does with components and with modules that have runes. */
const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const { js } = compile(readFileSync(path, 'utf8'), { filename: path, css: 'injected' })
      return { contents: js.code }
    })
    onLoad({ filter: /\.svelte\.js$/ }, ({ path }) => {
      return { contents: compileModule(readFileSync(path, 'utf8'), { filename: path }).js.code }
    })
  },
}

/** What an `import()` loads later is a file of its own. */
const later = {
  name: 'later',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined))
  },
}

/** Bytes of what a page loads to begin with: minified, and those compressed. */
export async function weigh(code) {
  const { contents } = await bundle(code)
  return {
    min: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents).length,
  }
}

/** What a page loads to begin with; with `maps`, also its source map. */
export async function bundle(code, maps = false) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    conditions,
    define: { 'process.env.NODE_ENV': '"production"' },
    external,
    plugins: [later, svelte],
    legalComments: 'none',
    logLevel: 'error',
    ...(maps && { sourcemap: 'external', sourcesContent: false, outfile: join(folder, 'bundle.js') }),
  })
  const map = outputFiles.find(({ path }) => path.endsWith('.map'))
  const script = outputFiles.find((file) => file !== map)
  return { contents: script.contents, code: script.text, map: map && JSON.parse(map.text) }
}
