import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** What a module exports: names, and whether each is only a type. */
export type ExportedNames = ReadonlyMap<string, { readonly isType: boolean }>

/** Reads the exported names of a TypeScript file, and of those that it passes on. */
export function exportedNames(file: string, code: string = readFileSync(file, 'utf8')): ExportedNames {
  const names = new Map<string, { readonly isType: boolean }>()
  for (const statement of parse(file, code).statements) {
    if (ts.isExportDeclaration(statement)) {
      addPassedOn(statement, file, names)
    } else if (isExported(statement)) {
      const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
      for (const name of declaredNames(statement)) names.set(name, { isType })
    }
  }
  return names
}

/** The names that a module declares or imports at its top. */
export function ownNames(file: string, code: string): ReadonlySet<string> {
  return new Set(parse(file, code).statements.flatMap(declaredNames))
}

/** A syntax tree; tsx unless the file is plain TypeScript. */
export function parse(file: string, code: string): ts.SourceFile {
  const kind = file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.TSX
  return ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, kind)
}

type Names = Map<string, { readonly isType: boolean }>

function addPassedOn(statement: ts.ExportDeclaration, file: string, names: Names): void {
  const { exportClause, isTypeOnly } = statement
  if (exportClause === undefined) {
    const from = statement.moduleSpecifier?.getText().slice(1, -1) ?? ''
    if (!from.startsWith('.')) return
    for (const [name, kind] of exportedNames(join(dirname(file), from.replace(/\.js$/, '.ts')))) names.set(name, kind)
  } else if (ts.isNamespaceExport(exportClause)) {
    names.set(exportClause.name.text, { isType: isTypeOnly })
  } else {
    for (const specifier of exportClause.elements) {
      names.set(specifier.name.text, { isType: isTypeOnly || specifier.isTypeOnly })
    }
  }
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => bound(name))
  if (ts.isImportDeclaration(statement)) return importedNames(statement)
  const name: unknown = 'name' in statement ? statement.name : undefined
  return typeof name === 'object' && name !== null && 'text' in name ? [String(name.text)] : []
}

function importedNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings
  const inner = bindings === undefined ? [] : ts.isNamedImports(bindings) ? [...bindings.elements] : [bindings]
  return [importClause, ...inner].flatMap((each) => (each?.name === undefined ? [] : [each.name.text]))
}

function bound(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bound(element.name)))
}
