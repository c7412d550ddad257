/** A type that no value has. Its text is the reason why an option is invalid. */
interface Misspelt<Reason extends string> {
  readonly 'this cannot be': Reason
}

/**
 * Rejects members of `P` that are misspellings of `Known` options: in other letter case, or with one letter added, missing, changed
 * or swapped. Any other name is a member that the user adds, or one of the class `Own`.
 *
 * @example
 * ```ts
 * const options: NoTyposIn<{ pollFrequencyy: 5 }, 'pollFrequency'> = {} // it asks for a 'pollFrequencyy' that cannot be
 * ```
 */
export type NoTyposIn<P, Known, Own = unknown> = [keyof P] extends [Known]
  ? unknown // nearly always: what follows costs the checker most
  : {
      readonly [Name in Exclude<keyof P, Known | keyof Own> as string extends Name
        ? never
        : [Meant<Name, Known>] extends [never]
          ? never
          : Name]: Misspelt<`did you mean ${Meant<Name, Known> & string}?`>
    }

/** The known option that a name resembles. */
type Meant<Name, Known> = Name extends string ? (Known extends string ? MeantOne<Name, Known> : never) : never

type MeantOne<Name extends string, Known extends string> =
  Lowercase<Name> extends Lowercase<Known>
    ? Known
    : Known extends Short
      ? never
      : [(Name | Shorter<Name>) & (Known | Shorter<Known>)] extends [never]
        ? never
        : Known

/** Names in which one changed letter gives another word. */
type Short = 'path' | 'name' | 'key' | 'url' | 'body' | 'fetch' | 'args'

/** A text without one of its letters. */
type Shorter<Text extends string, Done extends string = ''> = Text extends `${infer Letter}${infer Rest}`
  ? `${Done}${Rest}` | Shorter<Rest, `${Done}${Letter}`>
  : never

/**
 * Returns the known name of which a name is probably a misspelling; undefined if there is none.
 *
 * @example
 * ```ts
 * meantName('pollFrequencyy', ['path', 'pollFrequency']) // 'pollFrequency'
 * ```
 */
export function meantName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  return known.find((one) => {
    const other = one.toLowerCase()
    return lower === other || (other.length > 5 && distance(lower, other) <= (other.length > 9 ? 2 : 1))
  })
}

/** The number of letters to insert, delete, change or swap with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The known options of endpoints. */
const options =
  'name schema sideEffect dataExpiryLength errorExpiryLength invalidIfStale pollFrequency timeout abortOnUnused signal errorPolicy key requestKey testKey getOptimisticResponse update fetch path method body searchParams paginationField content movePath process memberBody urlPrefix requestInit mutationOptions url searchToString getRequestInit getHeaders fetchResponse parseResponse transfers'

/**
 * Warns of options that look like misspellings of known ones.
 *
 * @example
 * ```ts
 * warnOfTypos('getTodos', { pollFrequencyy: 5 }, {})
 * ```
 * @param own - an object whose members are valid names: the endpoint, with the members of its class
 * @param more - further known names
 */
export function warnOfTypos(who: string, given: object, own: object, more: readonly string[] = []): void {
  const known = [...options.split(' '), ...more]
  for (const name of Object.keys(given)) {
    if (known.includes(name) || name in own) continue
    const meant = meantName(name, known)
    if (meant) console.warn(`${who} has no option '${name}': did you mean '${meant}'?`)
  }
}

/** Marks options that were checked already, so that copies of an endpoint do not warn again. */
export const LOOKED_AT: unique symbol = Symbol('looked at')
