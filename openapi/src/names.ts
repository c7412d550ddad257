/** The names that the written module itself declares or uses. */
const own =
  'Collection Entity Invalidate RestEndpoint Union Values T As plain withFields searchBy formOf formDataOf toDate urlPrefix Blob Date FormData JSON Object Array Record Omit Pick NonNullable Readonly String URLSearchParams Extract Exclude'

const reserved =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'

/** Assigns unique names within the written module. */
export class Names {
  readonly #taken = new Set(`${own} ${reserved}`.split(' '))

  /**
   * Returns the name, with a suffix if it is taken.
   *
   * @example names.unique('delete', '_') // 'delete_'
   */
  unique(name: string, suffix: string): string {
    const plain = /^[\p{L}_$]/u.test(name) ? name : `_${name}`
    let free = plain
    for (let i = 1; this.#taken.has(free); i++) free = i === 1 ? plain + suffix : `${plain}${suffix}${i}`
    this.#taken.add(free)
    return free
  }
}

/**
 * Returns a name as the member of an object.
 *
 * @example memberName('item-id') // "'item-id'"
 */
export function memberName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quoted(name)
}

/**
 * Returns a text as code.
 *
 * @example quoted("it's") // "'it\\'s'"
 */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/**
 * Returns the words of a name in lower case.
 *
 * @example wordsOf('paymentIntent_id') // ['payment', 'intent', 'id']
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
