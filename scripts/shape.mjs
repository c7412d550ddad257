// How large and how entangled core is, against ceilings that only go down. A missed one fails.
//
//     npm run shape
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'core', 'src')
const ceilings = JSON.parse(readFileSync(join(root, 'scripts', 'shape.json'), 'utf8'))

const files = readdirSync(source, { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
  })

const twice = declaredTwice()
const wide = wideParameterLists()
const measures = {
  files: files.length,
  'lines of code without testing': files.filter(({ path }) => !path.startsWith('testing')).reduce(addLines, 0),
  'functions that a read that misses executes': functionsOfAMiss(),
  'names declared in several files': twice.length,
  'parameter lists above four': wide.length,
}

for (const [name, value] of Object.entries(measures)) {
  const isOver = value > (ceilings[name] ?? 0)
  console.log(`${isOver ? '✗' : '✓'} ${name}: ${value} (ceiling ${ceilings[name]})`)
  if (isOver) process.exitCode = 1
}
if (process.exitCode || process.argv.includes('--names')) console.log([...twice, ...wide].join('\n'))

/** Lines that hold a token: neither blank nor only a comment. */
function addLines(sum, { text, tree }) {
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
  return sum + (text ? lines.size : 0)
}

/** Top-level names, exported or not, that several files declare: one name, one thing. */
function declaredTwice() {
  const places = new Map()
  for (const { path, tree } of files) {
    for (const name of new Set(tree.statements.flatMap(namesOf))) places.set(name, [...(places.get(name) ?? []), path])
  }
  return [...places].flatMap(([name, paths]) => (paths.length > 1 ? `${name}: ${paths.join(', ')}` : []))
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []))
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}

function wideParameterLists() {
  const found = []
  for (const { path, tree } of files) {
    const visit = (node) => {
      if (ts.isFunctionLike(node) && node.parameters.length > 4 && !ts.isFunctionTypeNode(node)) {
        found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.parameters.length}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  return found
}

/** Counted by V8 in a process of its own, on the built package. */
function functionsOfAMiss() {
  const script = join(root, 'scripts', 'miss.mjs')
  const { stdout, status } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`${script} ended with ${status}. Build the packages first: npm run build`)
  return Number(stdout)
}
