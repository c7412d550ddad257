// Bundles programs of the node suite as an application's bundler would, for production, and runs the first of them.
//
//     node run.mjs main [--quick]           the suite
//     node run.mjs main --against COMMIT    this library now against itself at another commit
//     node run.mjs fresh [--quick]          the first use, each sample in a process of its own
//     node run.mjs fresh --against COMMIT   the same of this library, now and at another commit
//     node run.mjs profile [flat]           where the time of our own primitives goes
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(folder)
/** Programs that others start in processes of their own. */
const companions = { main: ['heap'], fresh: ['ours', 'normalizr', 'query-core', 'json'].map((name) => `fresh/${name}`) }
/** The program that compares two commits, and those that it runs of each. */
const comparisons = {
  main: { judge: 'against', programs: ['own', 'heap'] },
  fresh: { judge: 'fresh', programs: ['fresh/ours', 'fresh/core'] },
}
const [program = 'main', ...args] = process.argv.slice(2)
const against = args.indexOf('--against')
const bundles = mkdtempSync(join(tmpdir(), 'roundtable-bench-'))
process.exitCode = 1
try {
  process.exitCode = against < 0 ? await measure() : await compare(args[against + 1])
} finally {
  rmSync(bundles, { recursive: true, force: true })
}

async function measure() {
  await bundle([program, ...(companions[program] ?? [])], bundles)
  return run(program, args)
}

/** The same programs over our sources of now and those of another commit, checked out beside them. */
async function compare(commit) {
  const { judge, programs } = comparisons[program]
  const checkout = join(bundles, 'checkout')
  git('worktree', 'add', '--detach', checkout, commit)
  try {
    await bundle([judge], bundles)
    // Each by itself, since code that two of them share would be another file to load.
    for (const name of programs) {
      await bundle([name], join(bundles, 'now'))
      await bundle([name], join(bundles, 'before'), join(checkout, 'core/src'))
    }
  } finally {
    git('worktree', 'remove', '--force', checkout)
  }
  return run(
    judge,
    args.filter((_, i) => i !== against + 1),
  )
}

/** @param core - where the sources of core are, if not where they always are */
async function bundle(programs, outdir, core) {
  const elsewhere = {
    name: 'core-of-another-commit',
    setup: ({ onResolve, onLoad }) => {
      const namespace = 'core-of-another-commit'
      onResolve({ filter: /^@roundtable\/core$/ }, () => ({ path: join(core, 'index.ts'), namespace }))
      onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: withNames(path), resolveDir: core }))
    },
  }
  // Of the files of ours that are loaded later, none is in a first use. Rollup, Rolldown and webpack leave what these
  // share with an application where it is; esbuild alone would make three more files of it, each of which takes half a
  // millisecond to load.
  const later = {
    name: 'later',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      ),
  }
  await build({
    entryPoints: programs.map((name) => join(folder, 'node', `${name}.ts`)),
    outdir,
    outbase: join(folder, 'node'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // As applications are: else one late import makes a function of each module that it shares, a fifth more functions
    // at first use.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    minify: program === 'fresh',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Ours from its sources, the others as bundlers find them.
    conditions: ['@roundtable/source', 'module'],
    mainFields: ['module', 'main'],
    nodePaths: ['core/node_modules', 'node_modules'].map((path) => join(root, path)),
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    plugins: [...(core === undefined ? [] : [elsewhere]), ...(program === 'fresh' ? [later] : [])],
    logLevel: 'warning',
  })
}

/** Core of another commit, with the names of now for what it calls otherwise. */
function withNames(path) {
  const names = { watch: 'query', view: 'select', notifyOnce: 'batch' }
  return `
    export * from ${JSON.stringify(path)}
    import { Controller } from ${JSON.stringify(path)}
    for (const [name, former] of Object.entries(${JSON.stringify(names)})) Controller.prototype[name] ??= Controller.prototype[former]`
}

function run(name, args) {
  const env = { ...process.env, NODE_ENV: 'production', BENCHMARKS: folder, BUNDLES: bundles }
  const program = join(bundles, `${name}.mjs`)
  return spawnSync(process.execPath, ['--expose-gc', program, ...args], { stdio: 'inherit', env }).status ?? 1
}

function git(...args) {
  const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}
