/** A type that nothing fits: its text is the reason why an option cannot be. */
interface Misspelt<Reason extends string> {
  readonly 'this cannot be': Reason
}

/**
 * Refuses those of `P` that are one of the `Known` options misspelt: in other letter case, or by one letter too many, too few,
 * other or in the wrong place. Any other name is a member that the user adds, or one of the class `Own`.
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

/** The known option that a name is near to. */
type Meant<Name, Known> = Name extends string ? (Known extends string ? MeantOne<Name, Known> : never) : never

type MeantOne<Name extends string, Known extends string> =
  Lowercase<Name> extends Lowercase<Known>
    ? Known
    : Known extends Short
      ? never
      : [(Name | Shorter<Name>) & (Known | Shorter<Known>)] extends [never]
        ? never
        : Known

/** Names in which one letter makes another word. */
type Short = 'path' | 'name' | 'key' | 'url' | 'body' | 'fetch' | 'args'

/** A text without one of its letters. */
type Shorter<Text extends string, Done extends string = ''> = Text extends `${infer Letter}${infer Rest}`
  ? `${Done}${Rest}` | Shorter<Rest, `${Done}${Letter}`>
  : never

/**
 * The known name that a name is probably a misspelling of; undefined if there is none.
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

/** How many letters must be put in, left out, changed or exchanged with the next one. */
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

/** The options that endpoints know. */
const options =
  'name schema sideEffect dataExpiryLength errorExpiryLength invalidIfStale pollFrequency timeout abortOnUnused signal errorPolicy key requestKey testKey getOptimisticResponse update fetch path method body searchParams paginationField content movePath process memberBody urlPrefix requestInit mutationOptions url searchToString getRequestInit getHeaders fetchResponse parseResponse transfers'

/**
 * Tells a developer of options that look like known ones misspelt.
 *
 * @example
 * ```ts
 * warnOfTypos('getTodos', { pollFrequencyy: 5 }, {})
 * ```
 * @param own - an object whose members are no mistakes: the endpoint, with what its class adds
 * @param more - names that are known besides
 */
export function warnOfTypos(who: string, given: object, own: object, more: readonly string[] = []): void {
  const known = [...options.split(' '), ...more]
  for (const name of Object.keys(given)) {
    if (known.includes(name) || name in own) continue
    const meant = meantName(name, known)
    if (meant) console.warn(`${who} has no option '${name}': did you mean '${meant}'?`)
  }
}

/** Marks options that were looked at already, so that copies of an endpoint say nothing. */
export const LOOKED_AT: unique symbol = Symbol('looked at')
