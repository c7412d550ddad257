import { posix } from 'node:path'
import ts from 'typescript'

/** One file of core/src as the rules see it; paths are relative to core/src, such as 'path/template.ts'. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  /** Imports of our own files, types and re-exports included, as paths relative to core/src. */
  readonly imports: readonly string[]
  /** Imports of packages, as written. */
  readonly packages: readonly string[]
  /** How often the type `any` is written. */
  readonly anys: number
  /** Uses of time, chance, the state of the page, and of code made from text, as 'line: name'. */
  readonly forbidden: readonly string[]
  /** True if every statement re-exports another file. */
  readonly isBarrel: boolean
}

/** Timers of the page itself, for code that runs outside of controllers. */
const pageTimers = ['startTimer', 'stopTimer']
const outsideOfControllers = 'rest/network-error.ts'

/** Globals that only util/env.ts may touch, and those that nobody may. */
const clocks = new Set([
  ...pageTimers,
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'requestAnimationFrame',
  'requestIdleCallback',
  'performance',
  'navigator',
  'crypto',
])
const codeFromText = new Set(['eval', 'Function'])
const clockMembers = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout'])
const globalObjects = new Set(['globalThis', 'window', 'self', 'global'])

/** Reads one file with TypeScript's parser. */
export function readSourceFile(path: string, text: string): SourceFile {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  const specifiers: string[] = []
  const forbidden: string[] = []
  let anys = 0

  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier !== undefined) specifiers.push(specifier)
    if (node.kind === ts.SyntaxKind.AnyKeyword) anys += 1
    const name = forbiddenName(node)
    const isAllowed =
      name !== undefined &&
      ((path === 'util/env.ts' && !codeFromText.has(name)) ||
        (path === outsideOfControllers && pageTimers.includes(name)))
    if (name !== undefined && !isAllowed) {
      forbidden.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${name}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)

  const isOwn = (specifier: string): boolean => specifier.startsWith('.')
  return {
    path,
    lines: text.replace(/\n$/, '').split('\n').length,
    imports: specifiers.filter(isOwn).map((specifier) => resolve(path, specifier)),
    packages: specifiers.filter((specifier) => !isOwn(specifier)),
    anys,
    forbidden,
    isBarrel: file.statements.length > 0 && file.statements.every(isReExport),
  }
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return node.moduleSpecifier ? literal(node.moduleSpecifier) : undefined
  }
  if (ts.isExternalModuleReference(node)) return literal(node.expression)
  if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) return node.name.text
  if (ts.isImportTypeNode(node)) return literal(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined)
  if (ts.isCallExpression(node) && isImporter(node.expression)) return literal(node.arguments[0])
  return undefined
}

function isImporter(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}

/** A specifier that is computed cannot be judged: it reads as an import of a package that is not allowed. */
function literal(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : '(computed)'
}

function forbiddenName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const whole = `${node.expression.text}.${node.name.text}`
    if (clockMembers.has(whole)) return whole
    if (globalObjects.has(node.expression.text) && isForbiddenGlobal(node.name.text)) return node.name.text
  }
  if (ts.isNewExpression(node) && isDate(node.expression) && !node.arguments?.length) return 'new Date()'
  if (ts.isCallExpression(node) && isDate(node.expression)) return 'Date()'
  if (ts.isIdentifier(node) && isForbiddenGlobal(node.text) && isGlobalValue(node)) return node.text
  return undefined
}

function isForbiddenGlobal(name: string): boolean {
  return clocks.has(name) || codeFromText.has(name)
}

function isDate(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === 'Date'
}

/** A name that stands for a value and is not the name of a member, a declaration or a type. */
function isGlobalValue(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false
  if (ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent) || ts.isTypeQueryNode(parent)) return false
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false
  // `Function.prototype` and `instanceof Function` make no code from text.
  if (node.text === 'Function') return isCalled(node)
  return !('name' in parent && parent.name === node)
}

function isCalled(node: ts.Identifier): boolean {
  return (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) && node.parent.expression === node
}

function isReExport(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined
}
