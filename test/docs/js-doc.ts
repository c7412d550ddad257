import ts from 'typescript'
import { type ExportedNames, parse } from './known-names.js'

/** An example in a comment. */
export interface CommentExample {
  readonly language: string
  readonly code: string
  /** What it stands at: `Controller` or `Controller.fetch`. */
  readonly of: string
  /** The line of the file on which the code begins, from 1. */
  readonly line: number
}

/** The examples in the comments of what a file declares under exported names, members of classes and interfaces included. */
export function examplesIn(file: string, text: string, exported: ExportedNames): readonly CommentExample[] {
  const examples: CommentExample[] = []
  const source = parse(file, text)
  const visit = (node: ts.Node, of: string): void => {
    // Its text, not its tags: for the compiler `@click` in an example is one, too.
    for (const comment of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      const first = source.getLineAndCharacterOfPosition(comment.getStart()).line + 1
      examples.push(...examplesOf(comment.getText(), of, first))
    }
  }
  for (const statement of source.statements) {
    const node = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement
    const name = node !== undefined && 'name' in node ? (node.name as ts.Node | undefined)?.getText() : undefined
    if (node === undefined || name === undefined || !(exported.has(name) || isOptions(node, name))) continue
    visit(node, name)
    if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) continue
    for (const member of node.members) visit(member, `${name}.${member.name?.getText() ?? 'constructor'}`)
  }
  return examples
}

/** Options are read by those who never see the name of their type. */
function isOptions(node: ts.Node, name: string): boolean {
  return ts.isInterfaceDeclaration(node) && /(?:Options|Generics)$/.test(name)
}

function examplesOf(comment: string, of: string, first: number): readonly CommentExample[] {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*(?:\/\*)?\*+ ?/, '').replace(/\s*\*\/$/, ''))
  return lines.flatMap((line, i) => {
    if (!line.startsWith('@example')) return []
    const inline = line.slice('@example'.length).trim()
    if (inline !== '') return [{ language: 'ts', code: `${inline}\n`, of, line: first + i }]
    const open = lines.findIndex((each, at) => at > i && each.startsWith('```'))
    const close = lines.indexOf('```', open + 1)
    const code = `${lines.slice(open + 1, close).join('\n')}\n`
    return [{ language: lines[open]?.slice(3) ?? '', code, of, line: first + open + 1 }]
  })
}
