// An earlier Roundtable → Roundtable: renamed methods of the controller, and the outbox of `offline`.
import { controllersOf, isController } from './controllers.mjs'
import { argumentsOf, membersOf, nameOf, textOf } from './source.mjs'

/** Old name → new name of each method. */
export const methods = { query: 'watch', queryOrError: 'watchOrError', select: 'view', batch: 'notifyOnce' }
const isFormer = (name) => Object.hasOwn(methods, name)

/** Rewrites the files of an application that uses an earlier Roundtable. */
export function roundtable(sources) {
  for (const source of sources) {
    const controllers = controllersOf(source)
    members(source, controllers)
    patterns(source, controllers)
    types(source)
    spies(source, controllers)
    overrides(source)
    outboxes(source)
    source.replaceInMarkup(/\bcontroller(\??\.)(\w+)\b/g, (found, dot, name) =>
      isFormer(name) ? `controller${dot}${methods[name]}` : found,
    )
  }
}

/** Rewrites `controller.query(…)` and `controller.query`. */
function members(source, controllers) {
  const isOurs = /['"]@roundtable\//.test(source.text)
  for (const member of source.find('member_expression')) {
    const property = member.field('property')
    const name = property.text()
    if (!isFormer(name)) continue
    // No other library has a method of this name.
    const object = member.field('object')
    const isOwn = object.kind() === 'this' || object.kind() === 'super'
    if (name === 'queryOrError' || (isOwn ? isInController(member) : isController(object, controllers))) {
      source.replace(property, methods[name])
    } else if (isOurs && !isOwn && member.parent().kind() === 'call_expression') {
      source.note(member, `${name} is ${methods[name]}, if ${object.text()} is a controller`)
    }
  }
}

/** Rewrites `const { query } = useController()`. The variable keeps its name. */
function patterns(source, controllers) {
  for (const pattern of source.find('object_pattern')) {
    const parent = pattern.parent()
    const value = parent.kind() === 'variable_declarator' ? parent.field('value') : undefined
    const type = parent.field('type')?.text() ?? ''
    if (!(value && isController(value, controllers)) && !/^:\s*Controller\b/.test(type)) continue
    for (const member of membersOf(pattern)) {
      const name = nameOf(member)
      if (!isFormer(name)) continue
      const key = member.field('key')
      if (key) source.replace(key, methods[name])
      else source.replace(member, `${methods[name]}: ${member.text()}`)
    }
  }
}

/** Rewrites `Controller['query']`. */
function types(source) {
  for (const lookup of source.find('lookup_type')) {
    const [of, index] = lookup.children().filter((child) => child.isNamed())
    const literal = index?.text().slice(1, -1)
    if (of?.text() === 'Controller' && isFormer(literal))
      source.replace(index, index.text().replace(literal, methods[literal]))
  }
}

/** Rewrites `vi.spyOn(controller, 'query')`. */
function spies(source, controllers) {
  for (const call of source.find('call_expression')) {
    const [object, name] = argumentsOf(call)
    if (!/\bspyOn$/.test(call.field('function').text()) || name?.kind() !== 'string') continue
    if (isController(object, controllers) && isFormer(textOf(name))) {
      source.replace(name, name.text().replace(textOf(name), methods[textOf(name)]))
    }
  }
}

/** Renames methods that a class of the application overrides. */
function overrides(source) {
  for (const method of source.find('method_definition')) {
    const name = method.field('name')
    if (isFormer(name.text()) && extendsController(method.parent().parent())) source.replace(name, methods[name.text()])
  }
}

/** Rewrites `offline({ outbox: { … }, maxAttempts })` and `observe(outbox)`. */
function outboxes(source) {
  const statement = source
    .find('import_statement')
    .find((node) => textOf(node.field('source')) === '@roundtable/core/offline')
  if (statement === undefined) return
  const calls = source.find('call_expression')
  let isWrapped = false
  for (const call of calls) {
    const [options] = argumentsOf(call)
    if (call.field('function').text() !== 'offline' || options?.kind() !== 'object') continue
    const [kept, attempts] = ['outbox', 'maxAttempts'].map((name) =>
      membersOf(options).find((member) => nameOf(member) === name),
    )
    const endpoints = kept?.field('value')
    if (endpoints?.kind() === 'object') {
      const limit = attempts === undefined ? '' : `, { ${attempts.text()} }`
      source.replace(endpoints, `outbox(${endpoints.text()}${limit})`)
      isWrapped = true
    } else if (kept !== undefined && endpoints?.kind() !== 'call_expression') {
      source.note(kept, 'outbox is outbox(endpoints, { maxAttempts }), with outbox from @roundtable/core/offline')
      continue
    }
    if (attempts === undefined) continue
    if (attempts.next()?.text() === ',') source.replace(attempts.next(), '')
    source.remove(attempts)
  }
  const observed = calls.flatMap((call) => {
    const [kind] = argumentsOf(call)
    return /\bobserve$/.test(call.field('function').text()) && kind?.text() === 'outbox' ? [kind] : []
  })
  for (const kind of observed) source.replace(kind, 'outboxEntries')
  const specifiers = statement.findAll({ rule: { kind: 'import_specifier' } })
  const former = specifiers.find((node) => node.text() === 'outbox')
  const added = [isWrapped && !former && 'outbox', observed.length > 0 && isWrapped && 'outboxEntries'].filter(Boolean)
  if (observed.length > 0 && !isWrapped && former) source.replace(former, 'outboxEntries')
  if (added.length > 0) source.insertAfter(specifiers.at(-1), `, ${added.join(', ')}`)
}

/** Returns true if `this` or `super` is a controller. */
function isInController(node) {
  const definition = node.ancestors().find((above) => above.kind() === 'class_declaration' || above.kind() === 'class')
  return definition !== undefined && extendsController(definition)
}

function extendsController(definition) {
  const heritage = definition.children().find((child) => child.kind() === 'class_heritage')
  return /^extends Controller\b/.test(heritage?.text() ?? '')
}
