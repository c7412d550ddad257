// How large and how entangled core is: lines and files by folder, lines and bytes by behaviour, for people to read and
// for the report of a pull request. Three numbers are bounds: no change may raise how many functions run for a read
// that misses, or for an endpoint without a schema, or how many files outside of lists/ know lists. Every file has a
// behaviour (behaviours.json). With --bounds only these checks.
//
//     npm run shape
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { byBehaviour, linesOf, owners } from './behaviours.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'core', 'src')
const bounds = JSON.parse(readFileSync(join(root, 'scripts', 'shape.json'), 'utf8'))

const files = readdirSync(source, { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
  })
const ownerAt = owners(files)
const knowLists = files.filter(({ path, tree }) => !/^(?:lists|collections)\//.test(path) && namesLists(tree))

const misses = [functionsOfAMiss(), functionsOfAMiss('--plain')]
const measures = {
  'functions that a read that misses executes': misses[0].length,
  'functions that a read without a schema executes': misses[1].length,
  'files outside of lists/ that know lists': knowLists.length,
}
for (const [name, value] of Object.entries(measures)) {
  const isOver = value > bounds[name]
  console.log(`${isOver ? '✗' : '✓'} ${name}: ${value} (at most ${bounds[name]})`)
  if (isOver) process.exitCode = 1
}
if (process.exitCode || process.argv.includes('--names')) console.log(knowLists.map(({ path }) => path).join('\n'))
if (!process.argv.includes('--bounds')) await report()

async function report() {
  const folders = new Map()
  for (const { path, tree } of files) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : 'entry points'
    const row = folders.get(folder) ?? { lines: 0, files: 0 }
    folders.set(folder, { lines: row.lines + linesOf(tree).size, files: row.files + 1 })
  }
  const ordered = [...folders].sort(([a], [b]) => a.localeCompare(b)).map(([name, row]) => [name, row.lines, row.files])
  print(['core/src', 'lines', 'files'], ordered)
  const rows = await byBehaviour(files, ownerAt)
  const told = rows.map(({ name, lines, types, bytes }) => {
    const functions = misses.map((places) => places.filter(({ file, line }) => ownerOf(file, line) === name).length)
    return [name, lines, types, ...bytes, ...functions]
  })
  print(['behaviour', 'lines', 'of types', 'alone', 'fewest', 'usual', 'miss', 'plain'], told)
  console.log(
    'Bytes (alone, fewest, usual): how much smaller the bundle, in gzip, would be without it. Functions (miss, plain): how ' +
      'many a first read executes, with and without a schema. scripts/behaviours.json says what users would lose.',
  )
}

function print(head, rows) {
  const sum = (of, name) => [name, ...head.slice(1).map((_, at) => of.reduce((sum, row) => sum + row[at + 1], 0))]
  const centre = rows.filter(([name]) => !name.startsWith('Apart'))
  const sums = [...(centre.length < rows.length ? [sum(centre, 'all but what is apart')] : []), sum(rows, 'all')]
  const row = ([name, ...cells]) => [name.padEnd(38), ...cells.map((cell) => String(cell).padStart(8))].join(' ')
  console.log(`\n${[head, ...rows, ...sums].map(row).join('\n')}`)
}
/** True if a file names a type or a function that is about lists. */
function namesLists(node) {
  const isOne =
    ts.isIdentifier(node) &&
    /^(?:List(?:Node|Row|Value|Kind|Schema|Page|Members|Engine|Write|Args|View)|isListSchema|listKind|engineOf|MembershipChange|predicateKinds)$/.test(
      node.text,
    )
  return isOne || (ts.forEachChild(node, namesLists) ?? false)
}

/** The behaviour of a function; the parser is not of core's sources. */
function ownerOf(file, line) {
  return file.includes('path-to-regexp') ? 'URLs from path templates' : ownerAt(file, line)
}

/** The functions that V8 sees running in a separate process, on the built package. */
function functionsOfAMiss(...args) {
  const script = join(root, 'scripts', 'miss.mjs')
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stdout, status } = spawnSync(process.execPath, [script, '--json', ...args], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${script} ended with ${status}. Build the packages first: npm run build`)
  return JSON.parse(stdout)
}
