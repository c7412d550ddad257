/**
 * Returns the JSON pointer of a path.
 *
 * @example pointerOf(['paths', '/pets', 'get']) // '#/paths/~1pets/get'
 */
export function pointerOf(path: readonly (string | number)[]): string {
  return `#${path.map((name) => `/${`${name}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`
}

/**
 * Returns the path of a JSON pointer.
 *
 * @example namesOf('#/paths/~1pets/get') // ['paths', '/pets', 'get']
 */
export function namesOf(pointer: string): readonly string[] {
  const names = pointer.replace(/^#?\/?/, '').split('/')
  return names.length === 1 && names[0] === ''
    ? []
    : names.map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Decodes a pointer, which may be part of a URL. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
