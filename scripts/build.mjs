// Builds the package in whose folder it runs: an empty dist, the declarations that the compiler emits, and one bundled
// ES module for each entry of package.json's exports (code that several entries use is a chunk of its own). With
// --short-names the properties that no application can see have short names in the modules. With --files the compiler's
// modules are the result, one for each source: Svelte's components and runes are compiled by the user's Svelte.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { transformSync } from 'esbuild'
import { rolldown } from 'rolldown'
import { tsc } from './checks.mjs'
import { internalNames } from './internal-names.mjs'

const shortensNames = process.argv.includes('--short-names')
const keepsFiles = process.argv.includes('--files')
const { exports, dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))

const clientModules = new Set()

/** React's server components read 'use client' at the top of a module: a chunk with such a module starts with it, too. */
const useClient = {
  name: 'use-client',
  transform: {
    filter: { code: /^'use client'/ },
    handler(code, id) {
      clientModules.add(id)
      return { code: code.replace(/^'use client'/, ''), map: null }
    },
  },
}

/**
 * A frozen constant that an application does not use can be left out of its bundle, if the bundler is told that
 * freezing does nothing else.
 */
const pureConstants = {
  name: 'pure-constants',
  transform: {
    filter: { code: /Object\.freeze[<(]/ },
    handler(code) {
      const marked = code.replace(/^((?:export )?const [^=]+=) (?=Object\.freeze[<(])/gm, '$1 /* @__PURE__ */ ')
      return { code: marked, map: null }
    },
  },
}

/**
 * path-to-regexp is CommonJS. As an ES module, only its parser is included, and pages without a bundler can load it.
 * Its classes go
 * too: of what the parser returns we read the tokens, and of what it throws the message up to the index.
 */
const pathToRegexp = {
  name: 'path-to-regexp-as-es-module',
  transform: {
    filter: { id: /[\\/]path-to-regexp[\\/]/ },
    handler(code) {
      const body = code
        .replace(/^"use strict";$|^Object\.defineProperty\(exports.*$|^exports\..*$/gm, '')
        .replace(/^class (?:PathError|TokenData) [\s\S]*?^}$/gm, '')
        .replace('return new TokenData(consumeUntil(""), str)', 'return { tokens: consumeUntil("") }')
        .replace(/new PathError\(/g, 'new TypeError(')
        .replace('const { encodePath = NOOP_VALUE } = options;', '')
        .replace('encodePath(path)', 'path')
      const isKnown = /^function parse\(/m.test(body) && body.includes('return { tokens:')
      if (!isKnown || /\b(?:exports|require|PathError)\b/.test(body))
        throw new Error('path-to-regexp is built in another way')
      return { code: `/*! path-to-regexp (MIT), © Blake Embrey */\n${body}\nexport { parse }`, map: null }
    },
  },
}

/**
 * Gives internal properties their short names, the same in all modules. The code is printed again, and nothing else is
 * changed.
 */
function shortNames() {
  const names = internalNames(process.cwd())
  const mangleProps = new RegExp(`^(?:${Object.keys(names).join('|')})$`)
  return {
    name: 'short-names',
    renderChunk(code) {
      const printed = transformSync(withPlainClasses(code), {
        mangleProps,
        mangleCache: names,
        sourcemap: 'external',
        target: 'esnext',
      })
      return { code: printed.code, map: printed.map }
    },
  }
}

/**
 * The bundler writes a class that refers to itself as `var Entity = class Entity {…}`. A printer that makes names
 * unique renames the inner one, and `Entity2` is what consoles, stacks and error reports would show.
 */
function withPlainClasses(code) {
  return code.replace(/^var ([\w$]+) = (class \1\b)/gm, '$2')
}

/** Comments for people are in the declarations and, with the sources, in the maps. */
const comments = { legal: true, annotation: true, jsdoc: false }

rmSync('dist', { recursive: true, force: true })
compile(keepsFiles ? [] : ['--emitDeclarationOnly'])
if (!keepsFiles && !process.exitCode) {
  await bundle()
  removeUnreachableDeclarations()
  for (const file of filesInDist('.js.map')) writeFileSync(file, mapOfLines(readFileSync(file, 'utf8')))
}

function compile(flags) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...flags], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

async function bundle() {
  const names = Object.keys({ ...dependencies, ...peerDependencies })
  const build = await rolldown({
    input: Object.fromEntries(entriesOf(exports)),
    external: [/^node:/, ...names.map((name) => new RegExp(`^${name}(?:/|$)`))],
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    plugins: [useClient, pathToRegexp, pureConstants, ...(shortensNames ? [shortNames()] : [])],
    onLog: (_, { message }) => {
      throw new Error(message)
    },
  })
  await build.write({
    dir: 'dist',
    format: 'es',
    sourcemap: true,
    chunkFileNames: 'shared/[name].js',
    // One shared module, since the number and order of modules would change the size of their users.
    ...(shortensNames && { codeSplitting: { groups: [{ name: 'core', minShareCount: 2 }] } }),
    banner,
    comments,
  })
}

/**
 * The compiler declares every module, also those that no declaration of an entry leads to: in core a quarter of the
 * text.
 */
function removeUnreachableDeclarations() {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\b\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)
    for (const [, path] of imports) visit(join(dirname(file), `${path}.d.ts`))
  }
  for (const [name] of entriesOf(exports)) visit(join('dist', `${name}.d.ts`))
  for (const file of filesInDist('.d.ts')) if (!reached.has(file)) rmSync(file)
}

/**
 * A map leads from a place to its line, not to its column: debuggers and stacks need no more, and half of the mappings
 * go.
 */
function mapOfLines(text) {
  const map = JSON.parse(text)
  const lines = decode(map.mappings).map((segments) =>
    segments.filter(([, source, line], i) => {
      const before = segments[i - 1]
      return i === 0 || source !== before[1] || line !== before[2]
    }),
  )
  return JSON.stringify({ ...map, names: [], mappings: encode(lines.map((line) => line.map((s) => s.slice(0, 4)))) })
}

function filesInDist(ending) {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith(ending)).map((file) => join('dist', file))
}

function banner({ moduleIds }) {
  return moduleIds.some((id) => clientModules.has(id)) ? "'use client'" : ''
}

/** The entries of an export map as [name, source file], conditions included. */
function entriesOf(map) {
  const source = map['@roundtable/source']
  const own = source ? [[basename(map.default, '.js'), source]] : []
  return [...own, ...Object.values(map).flatMap((part) => (typeof part === 'object' ? entriesOf(part) : []))]
}
