// How large and how entangled core is: lines and files by folder, for people to read and for the report of a pull request. Three numbers
// are bounds: no change may raise how many functions run for a read that misses, or for an endpoint without a schema, or how many files
// outside of lists/ know lists. With --bounds those alone.
//
//     npm run shape
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'core', 'src')
const bounds = JSON.parse(readFileSync(join(root, 'scripts', 'shape.json'), 'utf8'))

const files = readdirSync(source, { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
  })
const knowLists = files.filter(({ path, tree }) => !/^(?:lists|collections)\//.test(path) && namesLists(tree))

const measures = {
  'functions that a read that misses executes': functionsOfAMiss(),
  'functions that a read without a schema executes': functionsOfAMiss('--plain'),
  'files outside of lists/ that know lists': knowLists.length,
}
for (const [name, value] of Object.entries(measures)) {
  const isOver = value > bounds[name]
  console.log(`${isOver ? '✗' : '✓'} ${name}: ${value} (at most ${bounds[name]})`)
  if (isOver) process.exitCode = 1
}
if (process.exitCode || process.argv.includes('--names')) console.log(knowLists.map(({ path }) => path).join('\n'))
if (!process.argv.includes('--bounds')) report()

function report() {
  const rows = new Map()
  for (const file of files) {
    const folder = file.path.includes('/') ? file.path.slice(0, file.path.indexOf('/') + 1) : 'entry points'
    const row = rows.get(folder) ?? { lines: 0, files: 0 }
    rows.set(folder, { lines: row.lines + linesOf(file), files: row.files + 1 })
  }
  const sum = (column) => [...rows.values()].reduce((before, row) => before + row[column], 0)
  console.log('\ncore/src'.padEnd(17), 'lines'.padStart(7), 'files'.padStart(6))
  for (const [folder, row] of [...rows].sort(([a], [b]) => a.localeCompare(b))) print(folder, row)
  print('all', { lines: sum('lines'), files: sum('files') })
}

function print(name, { lines, files: count }) {
  console.log(name.padEnd(16), String(lines).padStart(7), String(count).padStart(6))
}

/** Lines that hold a token: neither blank nor only a comment. */
function linesOf({ tree }) {
  const lines = new Set()
  const visit = (node) => {
    if (ts.isJSDoc(node)) return
    if (node.getChildCount() > 0) return node.getChildren().forEach(visit)
    const end = tree.getLineAndCharacterOfPosition(node.end).line
    if (node.end > node.getStart()) {
      for (let at = tree.getLineAndCharacterOfPosition(node.getStart()).line; at <= end; at++) lines.add(at)
    }
  }
  tree.statements.forEach(visit)
  return lines.size
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

/** Counted by V8 in a separate process, on the built package. */
function functionsOfAMiss(...args) {
  const script = join(root, 'scripts', 'miss.mjs')
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stdout, status } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${script} ended with ${status}. Build the packages first: npm run build`)
  return Number(stdout)
}
