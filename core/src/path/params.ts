/**
 * The type of the value of a `:name` in a path. (At run time, booleans and BigInts also work.)
 *
 * @example
 * ```ts
 * const id: PathParam = 5
 * ```
 */
export type PathParam = string | number

/**
 * The type of a path template's params: `'/user/:id{/:tab}'` has `{ id: string | number; tab?: string | number }`.
 *
 * @remarks
 * - `*name` takes `string[]`
 * - a group with one param makes it optional; a group with several is a union of all of them and none of them, and those
 *   of an inner group come only with those of the outer
 * - a path without params results in `unknown`, a path that is no literal in `object`, `any` in `any`
 * - an invalid template results in a `PathSyntaxError`, which accepts no argument
 *
 * @example
 * ```ts
 * const args: PathArgs<'/files/:owner{/*path}'> = { owner: 'ann', path: ['a', 'b'] }
 * ```
 */
export type PathArgs<Path extends string> = unknown extends Path
  ? Path
  : IsKnown<Path> extends true
    ? Args<Scan<Path>>
    : object

/**
 * The names of all params of a path template: `never` without params, `string` if the path is no literal.
 *
 * @example
 * ```ts
 * const name: PathKeys<'/user/:id{/:tab}'> = 'tab'
 * ```
 */
export type PathKeys<Path extends string> = IsKnown<Path> extends true ? NamesOf<Args<Scan<Path>>> : string

/**
 * The params of a path with any search params, for endpoints without declared `searchParams`.
 *
 * @example
 * ```ts
 * const args: PathArgsAndSearch<'/user/:id'> = { id: 5, page: 2, tag: ['a', 'b'] }
 * ```
 */
export type PathArgsAndSearch<Path extends string> = unknown extends Path
  ? Path
  : Record<never, never> extends PathArgs<Path>
    ? Readonly<Record<string, SearchValue>> | undefined
    : PathArgs<Path> & Readonly<Record<string, SearchValue | string[]>>

/**
 * The type of a search param, unless `searchToString` is overridden: `undefined` is left out, an array repeats the name.
 *
 * @example
 * ```ts
 * const tags: SearchValue = ['a', 'b']
 * ```
 */
export type SearchValue = SearchScalar | readonly SearchScalar[] | undefined
type SearchScalar = string | number | boolean

/**
 * Replaces the params of an invalid template, so that a call with any argument is a compile error.
 *
 * @example
 * ```ts
 * type Args = PathArgs<'/user/:id(edit)'> // PathSyntaxError<'write a backslash before ('>
 * ```
 */
export interface PathSyntaxError<Reason extends string> {
  readonly 'the path template cannot be read': Reason
}

/**
 * False for `string` and for patterns such as `${string}:${string}`: only a literal makes a record with a required key.
 *
 * @example
 * ```ts
 * const literal: IsKnown<'/users'> = true
 * ```
 */
export type IsKnown<Path extends string> = Record<never, never> extends Record<Path, 1> ? false : true

// --- the tokenizer: one character per step, by the rules of path-to-regexp 8 with literal `? + ! [ ]`

/** One level (template or group): the names of params and wildcards, the args of its groups, the rest of the text. */
interface PathLevel<Names, Wilds, Groups, Rest> {
  readonly names: Names
  readonly wilds: Wilds
  readonly groups: Groups
  readonly rest: Rest
}

/** Reads one level, up to its `}` or the end. Reads segments of plain text in one step, which halves the checker's work. */
type Scan<Text, Names = never, Wilds = never, Groups = unknown> = Text extends `${infer Head}/${infer Rest}`
  ? Head extends HasSpecial
    ? ScanChars<Text, Names, Wilds, Groups>
    : Scan<Rest, Names, Wilds, Groups>
  : Text extends HasSpecial
    ? ScanChars<Text, Names, Wilds, Groups>
    : PathLevel<Names, Wilds, Groups, ''>

type ScanChars<Text, Names, Wilds, Groups> = Text extends `${infer Char}${infer Rest}`
  ? Char extends Special
    ? PathStep<Char, Rest, Names, Wilds, Groups>
    : ScanChars<Rest, Names, Wilds, Groups>
  : never

type HasSpecial = `${string}${Special}${string}`
type Special = ':' | '*' | '{' | '}' | '\\' | '(' | ')'

type PathStep<Char extends Special, Rest, Names, Wilds, Groups> = Char extends ':'
  ? ReadName<Rest> extends [infer Name, infer After]
    ? Scan<After, Names | Name, Wilds, Groups>
    : PathSyntaxError<'a : without a name'>
  : Char extends '*'
    ? ReadName<Rest> extends [infer Name, infer After]
      ? Scan<After, Names, Wilds | Name, Groups>
      : PathSyntaxError<'a * without a name'>
    : Char extends '{'
      ? Scan<Rest> extends infer Inner
        ? Inner extends PathLevel<infer InnerNames, infer InnerWilds, infer InnerGroups, `}${infer After}`>
          ? Scan<After, Names, Wilds, Groups & GroupArgs<InnerNames, InnerWilds, InnerGroups>>
          : Inner extends PathSyntaxError<string>
            ? Inner
            : PathSyntaxError<'a { without its }'>
        : never
      : Char extends '}'
        ? PathLevel<Names, Wilds, Groups, `}${Rest & string}`>
        : Char extends '\\'
          ? Rest extends `${infer _}${infer After}`
            ? Scan<After, Names, Wilds, Groups>
            : PathSyntaxError<'a \\ at the end'>
          : PathSyntaxError<`a ${Char} without a \\ before it`>

/** Reads a name: `[name, rest]`, or `undefined` if there is none. */
type ReadName<Text> = Text extends `"${infer Quoted}`
  ? ReadQuoted<Quoted>
  : Text extends `${NoStart}${string}`
    ? undefined
    : ReadIdentifier<Text>

type ReadIdentifier<Text, Name extends string = ''> = Text extends `${infer Char}${infer Rest}`
  ? Char extends NoIdentifier
    ? Name extends ''
      ? undefined
      : [Name, Text]
    : ReadIdentifier<Rest, `${Name}${Char}`>
  : Name extends ''
    ? undefined
    : [Name, '']

type ReadQuoted<Text, Name extends string = ''> = Text extends `${infer Char}${infer Rest}`
  ? Char extends '"'
    ? Name extends ''
      ? undefined
      : [Name, Rest]
    : Char extends '\\'
      ? Rest extends `${infer Escaped}${infer After}`
        ? ReadQuoted<After, `${Name}${Escaped}`>
        : undefined
      : ReadQuoted<Rest, `${Name}${Char}`>
  : undefined

// Names are JavaScript identifiers. Types have no character classes, so these are the ASCII characters that no name
// contains, and common symbols beyond ASCII. Every other character counts as a letter.
type NoStart = CharsOf<'0123456789\u00b7\u200c\u200d'>
type NoIdentifier =
  CharsOf<' !"#%&\'()*+,-./:;<=>?@[\\]^`{|}~\t\n\r\u00a0¡¢£¤¥¦§¨©«¬\u00ad®¯°±²³´¶¸¹»¼½¾¿×÷–—‘’“”„•…‹›€→←−∞≈≠≤≥、。「」！（），：；？～'>

type CharsOf<Text, Chars = never> = Text extends `${infer Char}${infer Rest}` ? CharsOf<Rest, Chars | Char> : Chars

// --- from levels to args

type Args<Read> =
  Read extends PathLevel<infer Names, infer Wilds, infer Groups, infer Rest>
    ? Rest extends ''
      ? unknown extends Groups
        ? Given<Names, Wilds>
        : Flat<Given<Names, Wilds> & Groups>
      : PathSyntaxError<'a } without its {'>
    : Read

/** The params of a level itself; `unknown` if it has none. */
type Given<Names, Wilds> = [Wilds] extends [never]
  ? [Names] extends [never]
    ? unknown
    : { [Name in Names & string]: PathParam }
  : { [Name in (Names | Wilds) & string]: Name extends Wilds ? string[] : PathParam }

/**
 * A group without params of its own is always written. A group with one param makes it optional (a union would double the
 * members of the type for each such group). A group with several requires all or none.
 */
type GroupArgs<Names, Wilds, Inner> = [Names | Wilds] extends [never]
  ? Inner
  : [unknown extends Inner ? IsSingle<Names | Wilds> : false] extends [true]
    ? { [Name in (Names | Wilds) & string]?: (Name extends Wilds ? string[] : PathParam) | undefined }
    : (Given<Names, Wilds> & Inner) | { [Name in ((Names | Wilds) & string) | NamesOf<Inner>]?: undefined }

type IsSingle<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? true : false) : never

type NamesOf<Each> = Each extends unknown ? (Each extends PathSyntaxError<string> ? never : keyof Each & string) : never

/** One object type (or a union of these) instead of an intersection, which is easier to read in an editor. */
type Flat<Each> = Each extends unknown ? { [Name in keyof Each]: Each[Name] } : never
