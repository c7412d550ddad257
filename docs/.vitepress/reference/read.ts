import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { type Comment, readComment } from './comment.js'
import { entryFiles } from './packages.js'

const root = join(import.meta.dirname, '../../..')

/** What one entry point exports, in the order in which it exports it. */
export interface EntryPoint {
  /** As it is imported: `@roundtable/core/testing`. */
  readonly module: string
  readonly exports: readonly Exported[]
}

export interface Exported {
  readonly name: string
  readonly kind: 'class' | 'function' | 'constant' | 'type' | 'interface' | 'namespace'
  /** The file that declares it, relative to the root. */
  readonly file: string
  /** The name under which it was exported before, of something that has two names or comes from another entry point. */
  readonly sameAs: { readonly module: string; readonly name: string } | undefined
  readonly comment: Comment
  /** Code: one for each overload, of a class its constructor. */
  readonly signatures: readonly string[]
  /** For a type, and for an interface as an alternative to its members. */
  readonly code: string
  readonly members: readonly Member[]
  /** Names of the exported types from which it has more members. */
  readonly inherits: readonly string[]
  /** Types of its options that have no export of their own. */
  readonly options: readonly Exported[]
}

export interface Member {
  readonly name: string
  readonly isStatic: boolean
  readonly comment: Comment
  readonly signatures: readonly string[]
}

/** Reads the public names of all packages from their sources. */
export function readEntryPoints(): readonly EntryPoint[] {
  const entries = entryFiles()
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, jsx: 'react-jsx' }, root)
  const program = ts.createProgram({ rootNames: entries.map(({ file }) => file), options })
  const reader = new Reader(program.getTypeChecker())
  const found = entries.map(({ module, file }) => {
    const source = program.getSourceFile(file)
    if (!source) throw new Error(`${file} cannot be read`)
    return { module, symbols: reader.symbolsOf(module, source) }
  })
  return found.map(({ module, symbols }) => ({ module, exports: symbols.map((each) => reader.read(each)) }))
}

interface Found {
  readonly name: string
  readonly symbol: ts.Symbol
  readonly sameAs: Exported['sameAs']
}

class Reader {
  readonly #checker: ts.TypeChecker
  /** Where each symbol was exported first. */
  readonly #known = new Map<ts.Symbol, { readonly module: string; readonly name: string }>()

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  /**
   * What a module exports. All modules are gone through before the first of them is read, so that links lead to where a
   * name is.
   */
  symbolsOf(module: string, source: ts.SourceFile): readonly Found[] {
    const symbol = this.#checker.getSymbolAtLocation(source)
    if (!symbol) throw new Error(`${source.fileName} is no module`)
    const exported = this.#checker.getExportsOfModule(symbol).map((each) => this.#found(each, module, each.name))
    // A namespace comes after everything that has a name outside of it, too.
    const spaces = exported.filter(({ symbol: each }) => each.declarations?.some(ts.isSourceFile))
    const within = spaces.flatMap(({ name, symbol: space }) =>
      this.#checker.getExportsOfModule(space).map((each) => this.#found(each, module, `${name}.${each.name}`)),
    )
    return [...exported, ...within]
  }

  #found(given: ts.Symbol, module: string, name: string): Found {
    const symbol = given.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(given) : given
    const sameAs = this.#known.get(symbol)
    if (!sameAs) this.#known.set(symbol, { module, name })
    return { name, symbol, sameAs }
  }

  read({ name, symbol, sameAs }: Found, isExported = true): Exported {
    const declarations = (symbol.declarations ?? []).filter(isOurs)
    const declaration = declarations.find((each) => !isTypeOnly(each)) ?? declarations[0]
    if (!declaration) throw new Error(`${name} is declared nowhere`)
    const members = ts.isSourceFile(declaration) ? { own: [], inherits: [] } : this.#members(symbol, name)
    return {
      name,
      kind: kindOf(declaration),
      file: relative(root, declaration.getSourceFile().fileName),
      sameAs,
      comment: readComment(commentOf([declaration, ...declarations])),
      signatures: this.#signatures({ symbol, name, sameAs }, declaration, declarations),
      code: declarations.filter(isTypeOnly).map(textOf).join('\n\n'),
      members: members.own,
      inherits: members.inherits,
      options: isExported ? this.#options(declarations) : [],
    }
  }

  /** Interfaces of options in the signatures that are exported nowhere. */
  #options(declarations: readonly ts.Declaration[]): readonly Exported[] {
    const found = new Map<ts.Symbol, Exported>()
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node) || ts.isClassExpression(node)) return
      if (ts.isTypeReferenceNode(node)) this.#addOptions(node, found)
      ts.forEachChild(node, visit)
    }
    for (const each of declarations) {
      const isClass = ts.isClassDeclaration(each)
      for (const node of isClass ? constructorsOf(each) : ts.isVariableDeclaration(each) ? this.#newOf(each) : [each])
        visit(node)
    }
    return [...found.values()]
  }

  #addOptions({ typeName }: ts.TypeReferenceNode, found: Map<ts.Symbol, Exported>): void {
    const name = typeName.getText()
    const given = this.#checker.getSymbolAtLocation(typeName)
    const symbol = given && given.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(given) : given
    if (!symbol || !/(?:Options|Generics)$/.test(name) || this.#known.has(symbol)) return
    const isInterface = symbol.declarations?.some((each) => isOurs(each) && ts.isInterfaceDeclaration(each))
    if (isInterface && !found.has(symbol)) found.set(symbol, this.read({ name, symbol, sameAs: undefined }, false))
  }

  /** The construct signatures of a constant that is used as a class. */
  #newOf(node: ts.VariableDeclaration): readonly ts.Declaration[] {
    const type = node.type && this.#checker.getTypeAtLocation(node.type)
    return (type?.getConstructSignatures() ?? []).flatMap(({ declaration }) => (declaration ? [declaration] : []))
  }

  #signatures({ symbol, name }: Found, first: ts.Declaration, all: readonly ts.Declaration[]): readonly string[] {
    if (ts.isFunctionDeclaration(first)) return overloads(all.filter(ts.isFunctionDeclaration))
    if (ts.isClassDeclaration(first)) return [headOfClass(first), ...overloads(constructorsOf(first))]
    if (!ts.isVariableDeclaration(first)) return []
    const constructors = this.#newOf(first).map((each) => textOf(each).replace(/^new /, `new ${name}`))
    if (constructors.length > 0) return constructors
    return [`const ${name}: ${first.type?.getText() ?? this.#typeText(symbol, first)}`]
  }

  #typeText(symbol: ts.Symbol, node: ts.Node): string {
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, node)
    return this.#checker.typeToString(type, node, ts.TypeFormatFlags.NoTruncation)
  }

  #members(symbol: ts.Symbol, name: string): { own: readonly Member[]; inherits: readonly string[] } {
    const declaration = symbol.declarations?.find(
      (each) => ts.isClassDeclaration(each) || ts.isInterfaceDeclaration(each),
    )
    if (!declaration) return { own: [], inherits: [] }
    const inherits = new Set<string>()
    const statics = ts.isClassDeclaration(declaration) ? this.#checker.getTypeOfSymbol(symbol) : undefined
    const instance = this.#checker.getDeclaredTypeOfSymbol(symbol)
    const read = (type: ts.Type | undefined, isStatic: boolean): readonly Member[] =>
      (type ? this.#checker.getPropertiesOfType(type) : []).flatMap((property) => {
        const found = (property.declarations ?? []).filter(isOurs).filter(isPublic)
        const [first] = found
        if (!first || /^(?:~|_|prototype$)/.test(property.name)) return []
        const owner = this.#ownerOf(first)
        if (owner !== undefined && owner !== name) {
          inherits.add(owner)
          return []
        }
        return [
          {
            name: property.name,
            isStatic,
            comment: readComment(commentOf(found)),
            signatures:
              ts.isPropertyDeclaration(first) && !first.type
                ? [`${isStatic ? 'static ' : ''}readonly ${property.name}: ${this.#typeText(property, first)}`]
                : overloads(found),
          },
        ]
      })
    const own = [...read(statics, true), ...read(instance, false)]
    return { own, inherits: [...inherits] }
  }

  /** The exported name of the type in which a member is declared; undefined if that is not exported. */
  #ownerOf(member: ts.Declaration): string | undefined {
    const { parent } = member
    const isType = ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent)
    const symbol = isType && parent.name ? this.#checker.getSymbolAtLocation(parent.name) : undefined
    return symbol && this.#known.get(symbol)?.name
  }
}

function isOurs(node: ts.Declaration): boolean {
  const { fileName } = node.getSourceFile()
  return /\/(?:core|devtools|openapi|adapters\/[\w-]+)\/src\//.test(fileName) && existsSync(fileName)
}

function isPublic(node: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  const name = ts.getNameOfDeclaration(node)
  return (
    !(ts.getCombinedModifierFlags(node) & hidden) &&
    !(name && (ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name)))
  )
}

function kindOf(node: ts.Declaration): Exported['kind'] {
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isInterfaceDeclaration(node)) return 'interface'
  if (ts.isSourceFile(node)) return 'namespace'
  return ts.isVariableDeclaration(node) ? 'constant' : 'type'
}

function isTypeOnly(node: ts.Declaration): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

/** The comment of the first declaration that has one. */
function commentOf(declarations: readonly ts.Declaration[]): string {
  for (const each of declarations) {
    const node = ts.isVariableDeclaration(each) ? each.parent.parent : each
    const comment = ts.isSourceFile(node) ? undefined : ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
    if (comment) return comment.getText()
    if (ts.isSourceFile(node)) return /^\/\*\*.*?\*\//s.exec(node.text)?.[0] ?? ''
  }
  return ''
}

function constructorsOf(node: ts.ClassDeclaration): readonly ts.ConstructorDeclaration[] {
  return node.members.filter(ts.isConstructorDeclaration)
}

/** The text of each signature. The one with the body counts only if it is alone. */
function overloads(declarations: readonly ts.Declaration[]): readonly string[] {
  const open = declarations.filter((each) => !('body' in each && each.body !== undefined))
  const shown = open.length > 0 ? open : declarations.slice(0, 1)
  return shown.map(textOf)
}

/** The code without body, comment before it, and what says only that it is public. */
function textOf(node: ts.Declaration): string {
  const source = node.getSourceFile()
  const body = 'body' in node ? (node.body as ts.Node | undefined) : undefined
  const typeOfField = ts.isPropertyDeclaration(node) && node.initializer ? node.type : undefined
  const end = body ? body.getStart() : (typeOfField ?? node).getEnd()
  const text = dedent(source.text.slice(node.getStart(), end), node, source)
  return text
    .trim()
    .replace(/\n *\/\/ biome-ignore .*/g, '')
    .replace(/;$/, '')
    .replace(/^(?:(?:export|declare|override|public|abstract|async) )+/, '')
    .replace(/^static (?:override )?/, 'static ')
}

function headOfClass(node: ts.ClassDeclaration): string {
  const source = node.getSourceFile()
  const open = node.getChildren(source).find(({ kind }) => kind === ts.SyntaxKind.OpenBraceToken)
  return source.text
    .slice(node.getStart(), open?.getStart() ?? node.getEnd())
    .trim()
    .replace(/\n *\/\/ biome-ignore .*/g, '')
    .replace(/^export (?:abstract )?/, '')
}

/** Members are indented in their file. */
function dedent(text: string, node: ts.Node, source: ts.SourceFile): string {
  const { character } = source.getLineAndCharacterOfPosition(node.getStart())
  return text.replaceAll(`\n${' '.repeat(character)}`, '\n')
}
