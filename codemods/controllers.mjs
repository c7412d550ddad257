// Finds the expressions of a file that are controllers, as far as its text shows.

/** The functions that return a controller. */
const MAKERS = [
  'useController',
  'mockController',
  'answerFrom',
  'setController',
  'pageController',
  'createRequestController',
]
const made = new RegExp(`^(?:await )?(?:new Controller\\b|(?:${MAKERS.join('|')})\\()`)
const typed = /^:\s*(?:Readonly<)?Controller\b/

/** Returns the names of variables, parameters and fields that contain a controller. */
export function controllersOf(source) {
  const names = new Set(['controller'])
  const add = (name) => {
    if (name && /^(?:identifier|property_identifier|private_property_identifier)$/.test(name.kind())) {
      names.add(name.text().replace(/^#/, ''))
    }
  }
  for (const node of source.find(
    'variable_declarator',
    'required_parameter',
    'optional_parameter',
    'public_field_definition',
  )) {
    const isMade = made.test(node.field('value')?.text() ?? '')
    if (isMade || typed.test(node.field('type')?.text() ?? '')) add(node.field('pattern') ?? node.field('name'))
  }
  return names
}

/** Returns true if an expression is a controller: one of these names, also as a member, or a call that returns one. */
export function isController(expression, names) {
  const text = expression.text().replace(/[?!]$/, '')
  return names.has(/(?:^|\.#?)(\w+)$/.exec(text)?.[1]) || (made.test(text) && text.endsWith(')'))
}
