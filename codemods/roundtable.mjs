// An earlier Roundtable → Roundtable: renamed methods of the controller.
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

/** Returns true if `this` or `super` is a controller. */
function isInController(node) {
  const definition = node.ancestors().find((above) => above.kind() === 'class_declaration' || above.kind() === 'class')
  return definition !== undefined && extendsController(definition)
}

function extendsController(definition) {
  const heritage = definition.children().find((child) => child.kind() === 'class_heritage')
  return /^extends Controller\b/.test(heritage?.text() ?? '')
}
