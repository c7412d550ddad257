// What core is made of, by what users can do with it. behaviours.json says what they would lose without each behaviour
// and where its code is: a folder, a file, or a declaration or member in a file (`table/row.ts#Kind.drop`). The most
// precise place counts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { bundle, imports } from '../benchmarks/size/weigh.mjs'

const behaviours = JSON.parse(readFileSync(join(import.meta.dirname, 'behaviours.json'), 'utf8'))

/** The bundles that are weighed, by the names of their pages in imports.json. */
const weighed = ['alone', 'fewest', 'react']

/**
 * @param files - of core/src: path from there, and syntax tree
 * @param ownerAt - what `owners` returned for them
 * @returns for each behaviour its lines, how many of them only the compiler reads, and how many bytes smaller each
 * bundle would be without it
 */
export async function byBehaviour(files, ownerAt) {
  const rows = new Map(Object.keys(behaviours).map((name) => [name, { name, lines: 0, types: 0, bytes: [] }]))
  for (const { path, tree } of files) {
    const running = linesOf(tree, isErased)
    for (const line of linesOf(tree)) {
      const row = rows.get(ownerAt(path, line))
      row.lines++
      if (!running.has(line)) row.types++
    }
  }
  for (const page of weighed) {
    const { code, map } = await bundle(imports.find((one) => one.page === page).code, true)
    const pieces = piecesOf(code, map, ownerAt)
    const all = gzipped(pieces)
    for (const [name, row] of rows) row.bytes.push(all - gzipped(pieces.filter(({ owner }) => owner !== name)))
  }
  return [...rows.values()]
}

/**
 * Returns a function that says which behaviour a line belongs to.
 *
 * @throws Error if a file belongs to none, or behaviours.json names a place that does not exist
 */
export function owners(files) {
  const named = new Map()
  for (const [name, { in: places }] of Object.entries(behaviours)) for (const place of places) named.set(place, name)
  const unused = new Set(named.keys())
  const lines = new Map()
  for (const { path, tree } of files) {
    const folders = path
      .split('/')
      .slice(0, -1)
      .map((_, at, all) => `${all.slice(0, at + 1).join('/')}/`)
    const place = [path, ...folders.reverse()].find((one) => named.has(one))
    if (place === undefined) throw new Error(`core/src/${path} belongs to no behaviour of scripts/behaviours.json.`)
    unused.delete(place)
    const owner = { all: named.get(place), parts: [] }
    lines.set(path, owner)
    for (const { name, node } of declarations(tree)) {
      const part = named.get(`${path}#${name}`)
      if (part === undefined) continue
      unused.delete(`${path}#${name}`)
      owner.parts.push({ from: lineAt(tree, node.getStart()), to: lineAt(tree, node.end), name: part })
    }
  }
  if (unused.size > 0) throw new Error(`scripts/behaviours.json names what is not there: ${[...unused].join(', ')}`)
  return (path, line) => {
    const { all, parts } = lines.get(path)
    return parts.findLast(({ from, to }) => line >= from && line <= to)?.name ?? all
  }
}

function* declarations(tree) {
  for (const node of tree.statements) {
    const name = node.name ?? node.declarationList?.declarations[0].name
    if (name === undefined) continue
    yield { name: name.text, node }
    if (!ts.isClassDeclaration(node)) continue
    for (const member of node.members) if (member.name) yield { name: `${name.text}.${member.name.text}`, node: member }
  }
}

/** The lines that hold a token: neither blank nor only a comment. With `omits`, without the nodes for which it is true. */
export function linesOf(tree, omits = () => false) {
  const lines = new Set()
  const visit = (node) => {
    if (ts.isJSDoc(node) || omits(node)) return
    if (node.getChildCount() > 0) return node.getChildren().forEach(visit)
    if (node.end > node.getStart()) {
      for (let at = lineAt(tree, node.getStart()); at <= lineAt(tree, node.end); at++) lines.add(at)
    }
  }
  tree.statements.forEach(visit)
  return lines
}

/** True for imports and exports of other files, and for what the compiler leaves out. */
function isErased(node) {
  const isDeclared = ({ kind }) => kind === ts.SyntaxKind.DeclareKeyword || kind === ts.SyntaxKind.AbstractKeyword
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    (ts.isFunctionLike(node) && node.body === undefined) ||
    (!ts.isClassDeclaration(node) && node.modifiers?.some(isDeclared))
  )
}

function lineAt(tree, position) {
  return tree.getLineAndCharacterOfPosition(position).line
}

/** Cuts a bundle into the pieces that its source map names. What is not of core has no owner. */
function piecesOf(code, map, ownerAt) {
  const paths = map.sources.map((source) => /(?:^|\/)core\/src\/(.*)$/.exec(source)?.[1])
  const texts = code.split('\n')
  return decode(map.mappings).flatMap((segments, row) =>
    segments.map(([from, source, line], at) => ({
      text: texts[row].slice(at === 0 ? 0 : from, segments[at + 1]?.[0]),
      owner: paths[source] && ownerAt(paths[source], line),
    })),
  )
}

function gzipped(pieces) {
  return gzipSync(pieces.map(({ text }) => text).join(''), { level: 9 }).length
}
