// The properties and methods of core that no application can see or name, with a short name for each: what a minifier
// may rename, but does not, since it cannot know that they are internal.
//
// A name stays if any of its uses might be seen: if the declarations of an entry lead to it, if a string, the language,
// the platform, an adapter or a bundled package has it, if an object with it is enumerated, or if the checker cannot
// tell which declaration a use means.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import ts from 'typescript'

/** The language looks these up by itself, though no declaration of its library has them all. */
const byLanguage = ['constructor', 'prototype', 'then', 'toJSON', 'toString', 'valueOf']

/** The frequent letters of code first, which compress best. */
const letters = 'etnrisoaclduhmpfgvywbkxjqzETNRISOACLDUHMPFGVYWBKXJQZ_$'

/**
 * @param folder - the folder of core, with declarations in its dist
 * @returns Record from each property's name to its short one, which stands nowhere else
 */
export function internalNames(folder) {
  const { sources, declarations, libraries, checker } = read(folder)
  const shown = namesThatEntriesShow(folder, declarations, checker)
  const foreign = namesIn([...libraries, ...bundledFiles(folder), ...adapterFiles(folder)], isMemberName)
  const { declared, counts, doubtful } = usesIn(sources, checker)
  const stays = new Set([...byLanguage, ...shown, ...foreign, ...doubtful])
  const names = [...declared].filter((name) => !stays.has(name))
  names.sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1))
  const taken = new Set([...namesIn(sources, isMemberName), ...stays])
  const short = shortNames(taken)
  return Object.fromEntries(names.map((name) => [name, short.next().value]))
}

function read(folder) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} }
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.build.json'), {}, host)
  const dist = readdirSync(join(folder, 'dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'))
  const program = ts.createProgram([...fileNames, ...dist.map((file) => join(folder, 'dist', file))], options)
  const files = program.getSourceFiles()
  const own = new Set(fileNames)
  return {
    checker: program.getTypeChecker(),
    sources: files.filter(({ fileName }) => own.has(fileName)),
    declarations: files.filter(({ fileName }) => fileName.startsWith(join(folder, 'dist').replaceAll(sep, '/'))),
    // A declaration file among the sources describes the platform.
    libraries: files.filter(
      (file) => program.isSourceFileDefaultLibrary(file) || (own.has(file.fileName) && file.isDeclarationFile),
    ),
  }
}

/** All names in the declarations that the exports of an entry lead to. */
function namesThatEntriesShow(folder, files, checker) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = Object.values(exports).flatMap(({ types }) =>
    types ? [join(folder, types).replaceAll(sep, '/')] : [],
  )
  const names = new Set()
  const met = new Set()
  const roots = files.filter(({ fileName }) => entries.includes(fileName))
  if (roots.length !== entries.length) throw new Error(`Of ${entries.join(', ')} some are not built.`)
  for (const root of roots) for (const symbol of exportsOf(checker.getSymbolAtLocation(root))) reach(symbol)
  return names

  function exportsOf(module) {
    return checker.getExportsOfModule(module)
  }

  function reach(symbol) {
    if (symbol === undefined) return
    const named = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (met.has(named)) return
    met.add(named)
    for (const declaration of named.declarations ?? []) {
      if (!files.includes(declaration.getSourceFile())) continue
      if (ts.isSourceFile(declaration)) for (const inner of exportsOf(named)) reach(inner)
      else walk(declaration)
    }
  }

  function walk(node) {
    if (isMemberName(node) || ts.isStringLiteralLike(node)) names.add(node.text)
    if (ts.isIdentifier(node)) reach(checker.getSymbolAtLocation(node))
    ts.forEachChild(node, walk)
  }
}

function namesIn(files, isMeant) {
  const names = new Set()
  const walk = (node) => {
    if (isMeant(node)) names.add(node.text)
    ts.forEachChild(node, walk)
  }
  for (const file of files) walk(file)
  return names
}

/** Of a property or a method, where it is declared, read or unpacked. */
function isMemberName(node) {
  const { parent } = node
  if (!ts.isIdentifier(node)) return false
  if (ts.isBindingElement(parent)) {
    const isNamed = ts.isObjectBindingPattern(parent.parent) && parent.dotDotDotToken === undefined
    return isNamed && node === (parent.propertyName ?? parent.name)
  }
  const mayHave = ts.isTypeElement(parent) || ts.isClassElement(parent) || ts.isObjectLiteralElement(parent)
  return (mayHave || ts.isPropertyAccessExpression(parent)) && node === parent.name
}

/** Packages that are bundled, which are core's development dependencies. */
function bundledFiles(folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { resolve } = createRequire(join(folder, 'package.json'))
  return Object.keys(devDependencies).map((name) => parse(resolve(name)))
}

function adapterFiles(folder) {
  const adapters = join(folder, '..', 'adapters')
  const files = readdirSync(adapters, { recursive: true }).filter((file) =>
    /^[^/\\]+[/\\]src[/\\].*\.(?:tsx?|svelte)$/.test(file),
  )
  return files.map((file) => parse(join(adapters, file)))
}

/**
 * @param path - a script or a TypeScript file
 * @returns Set of the names of its properties and methods, wherever they stand
 */
export function memberNames(path) {
  return namesIn([parse(path)], isMemberName)
}

function parse(path) {
  const code = readFileSync(path, 'utf8')
  // Of a component only its script is a program; what the template names is in the same text.
  const isComponent = path.endsWith('.svelte')
  return ts.createSourceFile(isComponent ? `${path}.ts` : path, code, ts.ScriptTarget.Latest, true)
}

/**
 * The members that classes and interfaces declare, how often each name is used, and the names with a use that might be
 * one of something else.
 */
function usesIn(sources, checker) {
  const declared = new Set()
  const counts = new Map()
  const doubtful = new Set()
  for (const file of sources) ts.forEachChild(file, walk)
  return { declared, counts, doubtful }

  function walk(node) {
    // If code has the text that a type names, an expression has it, too.
    if (ts.isLiteralTypeNode(node)) return
    if (ts.isStringLiteralLike(node)) doubtful.add(node.text)
    else if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1)
    else if (ts.isPropertyAccessExpression(node)) use(node.name, checker.getSymbolAtLocation(node.name))
    else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) unpack(node)
    else if (ts.isObjectLiteralExpression(node.parent)) fill(node)
    else if (ts.isClassElement(node) || ts.isTypeElement(node)) declare(node)
    if (ts.isCallExpression(node) && isEnumeration(node)) for (const given of node.arguments) enumerate(given)
    if (ts.isForInStatement(node)) enumerate(node.expression)
    ts.forEachChild(node, walk)
  }

  /** A type without a name describes values of others: a part of a response, an error, an object of the platform. */
  function declare({ name, parent }) {
    if (name === undefined || !ts.isIdentifier(name)) return
    if (hasName(parent)) declared.add(name.text)
    else doubtful.add(name.text)
  }

  function unpack({ name, propertyName, dotDotDotToken, parent }) {
    const key = propertyName ?? name
    if (dotDotDotToken === undefined && ts.isIdentifier(key))
      use(key, checker.getPropertyOfType(checker.getTypeAtLocation(parent), key.text))
  }

  /** A field has the contextual type of its object. */
  function fill({ name, parent }) {
    if (name === undefined || !ts.isIdentifier(name)) return
    const type = checker.getContextualType(parent)
    const parts = type?.isUnion() ? [type, ...type.types] : [type]
    use(name, parts.map((part) => part && checker.getPropertyOfType(part, name.text)).find(Boolean))
  }

  function use(name, symbol) {
    const meant = symbol === undefined ? [] : checker.getRootSymbols(symbol).flatMap((root) => root.declarations ?? [])
    // Exports of a module that is imported later have the module for their parent.
    const isOurs = ({ parent }) =>
      !ts.isSourceFile(parent) && sources.includes(parent.getSourceFile()) && hasName(parent)
    if (meant.length === 0 || !meant.every(isOurs)) doubtful.add(name.text)
  }

  function enumerate(expression) {
    for (const { name } of checker.getTypeAtLocation(expression).getProperties()) doubtful.add(name)
  }
}

/**
 * True for a call that makes texts of names, or names of texts. Copying or freezing an object leaves its names as they
 * are.
 */
function isEnumeration({ expression }) {
  if (!ts.isPropertyAccessExpression(expression)) return false
  const isOne = /^(?:Object|JSON|Reflect)$/.test(expression.expression.getText())
  return isOne && !/^(?:assign|create|freeze|getPrototypeOf|isFrozen|seal|values)$/.test(expression.name.text)
}

function hasName(type) {
  const isPart = (node) => ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)
  let { parent } = type
  while (isPart(parent)) parent = parent.parent
  return (
    ts.isClassLike(type) ||
    ts.isInterfaceDeclaration(type) ||
    (ts.isTypeLiteralNode(type) && ts.isTypeAliasDeclaration(parent))
  )
}

/** Names of one letter, then of two and of three, without those that are taken. Those of frequent letters come first. */
function* shortNames(taken) {
  let names = [...letters].map((name, rank) => ({ name, rank }))
  for (;;) {
    for (const { name } of names) if (!taken.has(name)) yield name
    const longer = names.flatMap(({ name, rank }) =>
      [...letters].map((letter, at) => ({ name: name + letter, rank: rank + at })),
    )
    names = longer.sort((a, b) => a.rank - b.rank)
  }
}
