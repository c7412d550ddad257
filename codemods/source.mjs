// One file of an application: its code as a tree, the changes to it, and the comments about remaining work.
import { Lang, parse } from '@ast-grep/napi'

/** The start of comments that a codemod adds where it is not certain. */
export const TODO = '// TODO(roundtable): '

/** The nodes whose children can have a comment on the line above. In JSX, a comment would be text. */
const bodies = ['program', 'statement_block', 'class_body', 'switch_case', 'switch_default']

/** A file as it is read, parsed and rewritten. */
export class Source {
  #edits = []
  #todos = new Map()
  #notes = []
  #script

  /** @param name the path, whose extension determines the language @param text the content */
  constructor(name, text) {
    this.name = name
    this.text = text
    this.isJsx = !/\.(?:[cm]?ts|vue|svelte)$/.test(name)
    this.#script = scriptOf(name, text)
    this.root = parse(this.isJsx ? Lang.Tsx : Lang.TypeScript, this.#script).root()
  }

  /** Returns all nodes of these kinds, in the order of the text. */
  find(...kinds) {
    const supported = kinds.filter((kind) => this.isJsx || !kind.startsWith('jsx_'))
    return supported.length > 0 ? this.root.findAll({ rule: { any: supported.map((kind) => ({ kind })) } }) : []
  }

  /** Replaces a node. Changes inside of it are lost. */
  replace(node, text) {
    this.#edit(start(node), end(node), text)
  }

  /** Removes a node and the white space before it. */
  remove(node) {
    const space = /\s*$/.exec(this.text.slice(0, start(node)))[0].length
    this.#edit(start(node) - space, end(node), '')
  }

  /** Removes a statement with the rest of its line. */
  removeLine(node) {
    const rest = /^[ \t]*\r?\n?/.exec(this.text.slice(end(node)))[0].length
    this.#edit(start(node), end(node) + rest, '')
  }

  /** Replaces the matches of a pattern outside of the scripts of a Vue or Svelte file. */
  replaceInMarkup(pattern, replacement) {
    for (const match of this.text.matchAll(pattern)) {
      const isScript = this.#script[match.index] !== ' '
      if (!isScript) this.#edit(match.index, match.index + match[0].length, replacement(...match))
    }
  }

  insertBefore(node, text) {
    this.#edit(start(node), start(node), text)
  }

  insertAfter(node, text) {
    this.#edit(end(node), end(node), text)
  }

  /** Adds a comment above the statement or member that contains the node. */
  todo(node, message) {
    const at = start(statementOf(node))
    this.#todos.set(at, (this.#todos.get(at) ?? new Set()).add(message))
  }

  /** Reports a changed meaning, without a comment in the file. */
  note(node, message) {
    this.#notes.push({ line: node.range().start.line + 1, message })
  }

  /** @returns the new text, the comments by line of the new text, and the notes by line of the old one */
  finish() {
    for (const [at, messages] of this.#todos) this.#comment(at, messages)
    const edits = this.#edits.toSorted((a, b) => a.from - b.from || a.to - b.to)
    let text = ''
    let done = 0
    for (const { from, to, replacement } of edits) {
      if (from < done) continue
      text += this.text.slice(done, from) + replacement
      done = to
    }
    text += this.text.slice(done)
    const todos = text.split('\n').flatMap((line, index) => {
      const message = line.trim()
      return message.startsWith(TODO) ? [{ line: index + 1, message: message.slice(TODO.length) }] : []
    })
    return { name: this.name, text, todos, notes: this.#notes, isChanged: text !== this.text }
  }

  /** Adds comments, except those that a previous run has added. */
  #comment(at, messages) {
    const lineStart = this.text.lastIndexOf('\n', at - 1) + 1
    const indent = this.text.slice(lineStart, at)
    const above = /(?:[ \t]*\/\/.*\r?\n)*$/.exec(this.text.slice(0, lineStart))[0]
    const fresh = [...messages].filter((message) => !above.includes(TODO + message))
    if (fresh.length === 0) return
    const text = fresh.map((message) => TODO + message)
    if (/\S/.test(indent)) this.#edit(at, at, `\n${text.join('\n')}\n`)
    else this.#edit(at, at, text.map((line) => `${line}\n${indent}`).join(''))
  }

  #edit(from, to, replacement) {
    this.#edits.push({ from, to, replacement })
  }
}

/** Returns the statement or class member that contains a node. */
export function statementOf(node) {
  let statement = node
  while (statement.parent() && !bodies.includes(statement.parent().kind())) statement = statement.parent()
  return statement
}

/** Returns the nodes of an argument list, without commas and comments. */
export function argumentsOf(call) {
  return membersOf(call.field('arguments'))
}

/** Returns the members of an object or array literal, without commas and comments. */
export function membersOf(literal) {
  return (literal?.children() ?? []).filter((child) => child.isNamed() && child.kind() !== 'comment')
}

/** Returns the name of a property in an object literal; undefined for a spread or a computed name. */
export function nameOf(member) {
  if (member.kind() === 'shorthand_property_identifier' || member.kind() === 'shorthand_property_identifier_pattern') {
    return member.text()
  }
  const key = member.field('key') ?? member.field('name')
  return key && ['property_identifier', 'string'].includes(key.kind()) ? textOf(key) : undefined
}

/** Returns the text of a name or of a string literal, without quotes. */
export function textOf(node) {
  return node.kind() === 'string' ? node.text().slice(1, -1) : node.text()
}

function start(node) {
  return node.range().start.index
}

function end(node) {
  return node.range().end.index
}

/** Returns the code of a file: for Vue and Svelte that of its scripts, at the same positions. */
function scriptOf(name, text) {
  if (!/\.(?:vue|svelte)$/.test(name)) return text
  let code = ''
  for (const { index, 0: element, 1: opening } of text.matchAll(/(<script\b[^>]*>)[\s\S]*?(?=<\/script>)/g)) {
    code += blank(text.slice(code.length, index + opening.length)) + element.slice(opening.length)
  }
  return code + blank(text.slice(code.length))
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ')
}
