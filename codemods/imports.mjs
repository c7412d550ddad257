// The imports of a file: the modules of names, before and after the change.
import { TODO, textOf } from './source.mjs'

/** The named imports of a file, collected by module and written as one statement each. */
export class Imports {
  #source
  #first
  #kept = new Map()
  /** Local name → { module, from, name, isType } of every named import found. */
  found = new Map()
  #handled = []
  #todos = new Map()

  /**
   * @param isHandled returns true for modules whose imports are rewritten
   * @param nameOf returns the common name of a module
   */
  constructor(source, isHandled, nameOf = (module) => module) {
    this.#source = source
    for (const statement of source.find('import_statement')) {
      const from = textOf(statement.field('source'))
      if (!isHandled(nameOf(from)) || !this.#read(statement, nameOf(from), from)) continue
      this.#handled.push(statement)
      this.#first ??= statement
    }
  }

  /** Returns the local name of an import; undefined if the file does not have it. */
  local(module, name) {
    for (const [local, found] of this.found) if (found.module === module && found.name === name) return local
    return undefined
  }

  /** Adds an import. @returns its local name */
  add(module, name, { local = name, isType = false } = {}) {
    const names = this.#kept.get(module) ?? new Map()
    this.#kept.set(module, names)
    // A name imported as a value can also be used as a type.
    names.set(local, { name, isType: isType && (names.get(local)?.isType ?? true) })
    return local
  }

  /** Adds a comment above the import from a module, unless a previous run has added it. */
  todo(module, message) {
    const messages = this.#todos.get(module) ?? new Set()
    if (!this.#source.text.includes(`${TODO}${message}\n`)) this.#todos.set(module, messages.add(message))
  }

  /** Writes the imports at the position of the first one. */
  finish() {
    const statements = [...this.#kept].map(([module, names]) => [
      ...[...(this.#todos.get(module) ?? [])].map((message) => TODO + message),
      statementText(module, names, this.#quote()),
    ])
    const text = statements.flat().join('\n')
    if (this.#first) {
      if (text) this.#source.replace(this.#first, text)
      else this.#source.removeLine(this.#first)
      for (const statement of this.#handled.slice(1)) this.#source.removeLine(statement)
    } else if (text) {
      const [first] = this.#source.find('import_statement')
      this.#source.insertBefore(first ?? this.#source.root.children()[0], `${text}\n`)
    }
  }

  #quote() {
    const [any] = this.#source.find('import_statement')
    const quote = any?.field('source').text()[0] ?? "'"
    return { quote, end: any?.text().endsWith(';') ? ';' : '' }
  }

  /** Reads the names of a statement. Returns false if it has a default or a namespace import, which stays unchanged. */
  #read(statement, module, from) {
    const clause = statement.children().find((child) => child.kind() === 'import_clause')
    if (!clause || clause.children().some((child) => child.kind() !== 'named_imports')) return false
    const isType = statement.children().some((child) => child.kind() === 'type')
    for (const specifier of clause.findAll({ rule: { kind: 'import_specifier' } })) {
      const name = specifier.field('name').text()
      const local = specifier.field('alias')?.text() ?? name
      const isTypeName = isType || specifier.children().some((child) => child.kind() === 'type')
      this.found.set(local, { module, from, name, isType: isTypeName })
    }
    return true
  }
}

function statementText(module, names, { quote, end }) {
  const all = [...names]
  const areTypes = all.every(([, { isType }]) => isType)
  const specifiers = all.map(([local, { name, isType }]) => {
    const specifier = local === name ? name : `${name} as ${local}`
    return isType && !areTypes ? `type ${specifier}` : specifier
  })
  return `import ${areTypes ? 'type ' : ''}{ ${specifiers.join(', ')} } from ${quote}${module}${quote}${end}`
}

/** Renames an imported name in the whole file. Where the new name could collide, only the import is renamed. */
export function renameReferences(source, from, to) {
  if (from === to) return from
  const kinds = [
    'identifier',
    'type_identifier',
    'shorthand_property_identifier',
    'shorthand_property_identifier_pattern',
  ]
  const nodes = source.find(...kinds).filter((node) => node.text() === from || node.text() === to)
  const isTaken = nodes.some((node) => node.text() === to || node.kind().startsWith('shorthand'))
  if (isTaken) return from
  for (const node of nodes) {
    if (node.parent().kind() !== 'import_specifier') source.replace(node, to)
  }
  return to
}
