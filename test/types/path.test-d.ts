import { describe, expectTypeOf, test } from 'vitest'
import type { PathArgs, PathArgsAndSearch, PathKeys, PathParam, PathSyntaxError } from '../../core/src/path/params.js'
import type { ShortenPath } from '../../core/src/path/shorten.js'
import type { corpus } from '../core/path-corpus.js'

/** Accepts arguments as an endpoint of this path would. */
declare function call<const Path extends string>(path: Path, args: PathArgs<Path>): void

type Optional = PathParam | undefined

describe('path templates', () => {
  test('P1: a path without patterns has no keys', () => {
    expectTypeOf<PathKeys<'/users'>>().toEqualTypeOf<never>()
    expectTypeOf<PathKeys<'/'>>().toEqualTypeOf<never>()
    expectTypeOf<PathKeys<''>>().toEqualTypeOf<never>()
    expectTypeOf<PathArgs<'/users'>>().toEqualTypeOf<unknown>()
    expectTypeOf<PathArgs<'/'>>().toEqualTypeOf<unknown>()
    expectTypeOf<PathArgs<'/users/posts'>>().toEqualTypeOf<unknown>()
  })

  test('P2: a param is required, string or number', () => {
    expectTypeOf<PathArgs<'/users/:id'>>().toEqualTypeOf<{ id: string | number }>()
    call('/users/:id', { id: 5 })
    call('/users/:id', { id: '5' })
    // @ts-expect-error it is missing
    call('/users/:id', {})
    // @ts-expect-error undefined is as good as missing
    call('/users/:id', { id: undefined })
    // @ts-expect-error null never stands in a URL
    call('/users/:id', { id: null })
    // @ts-expect-error nor does an array
    call('/users/:id', { id: ['5'] })
    // @ts-expect-error there is no such param
    call('/users/:id', { id: 5, other: 5 })
  })

  test('P3: several params are all required', () => {
    expectTypeOf<PathArgs<'/users/:id/posts/:postId'>>().toEqualTypeOf<{ id: PathParam; postId: PathParam }>()
    expectTypeOf<PathArgs<'/:a/:b/:c'>>().toEqualTypeOf<{ a: PathParam; b: PathParam; c: PathParam }>()
  })

  test('P4: a wildcard takes an array of strings', () => {
    expectTypeOf<PathArgs<'/*path'>>().toEqualTypeOf<{ path: string[] }>()
    expectTypeOf<PathArgs<'/files/*rest'>>().toEqualTypeOf<{ rest: string[] }>()
    call('/*path', { path: ['a', 'b'] })
    // @ts-expect-error a string is no array
    call('/*path', { path: 'a' })
    // @ts-expect-error nor is a number
    call('/*path', { path: 5 })
    // @ts-expect-error it is missing
    call('/*path', {})
  })

  test('P5: a param and a wildcard', () => {
    expectTypeOf<PathArgs<'/:id/*rest'>>().toEqualTypeOf<{ id: PathParam; rest: string[] }>()
  })

  test('P6: a group makes its param optional', () => {
    expectTypeOf<PathArgs<'{/:id}'>>().toEqualTypeOf<{ id?: Optional }>()
    expectTypeOf<PathArgs<'/users{/:id}'>>().toEqualTypeOf<{ id?: Optional }>()
    call('/users{/:id}', {})
    call('/users{/:id}', { id: undefined })
  })

  test('P7: groups of one param are plain optionals, not a union', () => {
    type Args = PathArgs<'{/:attr1}{-:attr2}{-:attr3}'>
    expectTypeOf<Args>().toEqualTypeOf<{ attr1?: Optional; attr2?: Optional; attr3?: Optional }>()
    call('{/:attr1}{-:attr2}{-:attr3}', { attr2: 'b' })
    // @ts-expect-error there is no such param
    call('{/:attr1}{-:attr2}{-:attr3}', { attr4: 'b' })
  })

  test('P8: a wildcard in a group is optional', () => {
    expectTypeOf<PathArgs<'{/*path}'>>().toEqualTypeOf<{ path?: string[] | undefined }>()
    expectTypeOf<PathArgs<'/:foo/{*rest}'>>().toEqualTypeOf<{ foo: PathParam; rest?: string[] | undefined }>()
    // @ts-expect-error the star is no part of the name
    call('/:foo/{*rest}', { foo: 1, '*rest': ['a'] })
    // @ts-expect-error a string is no array
    call('/:foo/{*rest}', { foo: 1, rest: 'a' })
  })

  test('P9: required and optional params', () => {
    expectTypeOf<PathArgs<'/users/:id{/:action}'>>().toEqualTypeOf<{ id: PathParam; action?: Optional }>()
    expectTypeOf<PathArgs<'/api{/:version}/users/:id'>>().toEqualTypeOf<{ version?: Optional; id: PathParam }>()
    // @ts-expect-error the required one is missing
    call('/users/:id{/:action}', { action: 'edit' })
  })

  test('P10: quoted names', () => {
    expectTypeOf<PathArgs<'/:"with-dash"'>>().toEqualTypeOf<{ 'with-dash': PathParam }>()
    type Two = PathArgs<'/items/:"with-dash"/:"my.param"'>
    expectTypeOf<Two>().toEqualTypeOf<{ 'with-dash': PathParam; 'my.param': PathParam }>()
    // @ts-expect-error each is required
    call('/items/:"with-dash"/:"my.param"', { 'with-dash': 1 })
  })

  test('P11: quoted wildcards and optionals', () => {
    expectTypeOf<PathArgs<'/*"wild-name"'>>().toEqualTypeOf<{ 'wild-name': string[] }>()
    expectTypeOf<PathArgs<'{/*"wild-name"}'>>().toEqualTypeOf<{ 'wild-name'?: string[] | undefined }>()
    expectTypeOf<PathArgs<'{/:"with-dash"}'>>().toEqualTypeOf<{ 'with-dash'?: Optional }>()
  })

  test('P12: quoted and other names together', () => {
    type Parts = PathArgs<'/:"first-part"{-:"second-part"}'>
    expectTypeOf<Parts>().toEqualTypeOf<{ 'first-part': PathParam; 'second-part'?: Optional }>()
    expectTypeOf<PathArgs<'/:id/:"with-dash"'>>().toEqualTypeOf<{ id: PathParam; 'with-dash': PathParam }>()
  })

  test('P13: an escaped colon starts no param', () => {
    expectTypeOf<PathArgs<'/\\:literal/:id'>>().toEqualTypeOf<{ id: PathParam }>()
    expectTypeOf<PathArgs<'/users/\\:notparam/:real'>>().toEqualTypeOf<{ real: PathParam }>()
    // @ts-expect-error it is literal
    call('/\\:literal/:id', { id: 1, literal: 1 })
  })

  test('P14: an escaped star starts no wildcard', () => {
    expectTypeOf<PathArgs<'/\\*literal/*path'>>().toEqualTypeOf<{ path: string[] }>()
  })

  test('P15: an escaped brace closes nothing', () => {
    expectTypeOf<PathArgs<'/\\}stuff{/:id}'>>().toEqualTypeOf<{ id?: Optional }>()
    expectTypeOf<PathArgs<'/:id/literal\\}text'>>().toEqualTypeOf<{ id: PathParam }>()
  })

  test('P16, P17: names of params that touch are told apart (the template is refused at run time)', () => {
    expectTypeOf<PathArgs<'{/*id}:bob'>>().toEqualTypeOf<{ id?: string[] | undefined; bob: PathParam }>()
    expectTypeOf<PathArgs<'/*id:bob'>>().toEqualTypeOf<{ id: string[]; bob: PathParam }>()
    expectTypeOf<PathArgs<'/:a*b:c'>>().toEqualTypeOf<{ a: PathParam; b: string[]; c: PathParam }>()
  })

  test('P18: an escaped character ends a name', () => {
    expectTypeOf<PathArgs<'/:id\\,:bob'>>().toEqualTypeOf<{ id: PathParam; bob: PathParam }>()
    expectTypeOf<PathArgs<'/:id\\+:bob'>>().toEqualTypeOf<{ id: PathParam; bob: PathParam }>()
    // @ts-expect-error the sign is no part of the name
    call('/:id\\+:bob', { 'id+': 1, bob: 1 })
  })

  test('P19: % and & end a name', () => {
    expectTypeOf<PathArgs<'/:id%:format'>>().toEqualTypeOf<{ id: PathParam; format: PathParam }>()
    expectTypeOf<PathArgs<'/:first&:second'>>().toEqualTypeOf<{ first: PathParam; second: PathParam }>()
  })

  test('P20: with optionals only, no params are fine', () => {
    call('/items{/:category}{/:subcategory}{/:id}', {})
    call('/items{/:category}{/:subcategory}{/:id}', { subcategory: 1 })
  })

  test('P21: a required wildcard and an optional param', () => {
    expectTypeOf<PathArgs<'/*base{/:id}'>>().toEqualTypeOf<{ base: string[]; id?: Optional }>()
  })

  test('P22: a path that is just a string takes any object', () => {
    call('/x' as string, {})
    call('/x' as string, { anything: 5 })
    // @ts-expect-error a number is no object
    call('/x' as string, 5)
    expectTypeOf<PathKeys<string>>().toEqualTypeOf<string>()
  })

  test('P23: so does a path that is a pattern', () => {
    call('/x:y' as `${string}:${string}`, { anything: 5 })
    // @ts-expect-error a number is no object
    call('/x:y' as `${string}:${string}`, 5)
  })

  test('P24: any stays any', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the subject of this test
    expectTypeOf<PathArgs<any>>().toBeAny()
    // biome-ignore lint/suspicious/noExplicitAny: the subject of this test
    expectTypeOf<PathArgsAndSearch<any>>().toBeAny()
  })

  test('P26: params together with any search params', () => {
    const search = (_args: PathArgsAndSearch<'/users'>): void => {}
    search(undefined)
    search({ page: 2, sort: 'title', done: true, tags: ['a'], userId: undefined })
    // @ts-expect-error nested objects need an own searchToString
    search({ filter: { a: 1 } })

    const optional = (_args: PathArgsAndSearch<'/users{/:id}'>): void => {}
    optional(undefined)
    optional({ id: 5, page: 2 })

    const required = (_args: PathArgsAndSearch<'/users/:id'>): void => {}
    required({ id: 5, page: 2, tags: ['a'] })
    // @ts-expect-error the param is missing
    required({ page: 2 })
    // @ts-expect-error the param is missing
    required(undefined)

    const wild = (_args: PathArgsAndSearch<'/*path'>): void => {}
    wild({ path: ['a'], page: 2 })
  })
})

describe('where a parser by separators fails', () => {
  test('a name ends at the first character that no identifier has', () => {
    expectTypeOf<PathArgs<'/:id.json'>>().toEqualTypeOf<{ id: PathParam }>()
    expectTypeOf<PathArgs<'/:id-:b'>>().toEqualTypeOf<{ id: PathParam; b: PathParam }>()
    expectTypeOf<PathArgs<'/:a=:b'>>().toEqualTypeOf<{ a: PathParam; b: PathParam }>()
    expectTypeOf<PathArgs<'/:a|:b'>>().toEqualTypeOf<{ a: PathParam; b: PathParam }>()
    expectTypeOf<PathArgs<'/:u~:x'>>().toEqualTypeOf<{ u: PathParam; x: PathParam }>()
    expectTypeOf<PathArgs<'/:id#frag'>>().toEqualTypeOf<{ id: PathParam }>()
  })

  test('? + ! [ ] are literal, and end a name', () => {
    expectTypeOf<PathArgs<'/:a+:b'>>().toEqualTypeOf<{ a: PathParam; b: PathParam }>()
    expectTypeOf<PathArgs<'/:a?x=:b'>>().toEqualTypeOf<{ a: PathParam; b: PathParam }>()
    expectTypeOf<PathArgs<'/:a{?x=:b}'>>().toEqualTypeOf<{ a: PathParam; b?: Optional }>()
    expectTypeOf<PathArgs<'/u[0]/:id'>>().toEqualTypeOf<{ id: PathParam }>()
    expectTypeOf<PathArgs<'/u!/:id'>>().toEqualTypeOf<{ id: PathParam }>()
    expectTypeOf<PathArgs<'/search?{q=:q}{&page=:page}'>>().toEqualTypeOf<{ q?: Optional; page?: Optional }>()
  })

  test('a param is optional wherever it stands in its group', () => {
    expectTypeOf<PathArgs<'/a{/:id/edit}'>>().toEqualTypeOf<{ id?: Optional }>()
    expectTypeOf<PathArgs<'{/:id}.json'>>().toEqualTypeOf<{ id?: Optional }>()
  })

  test('a group with several params takes all of them or none', () => {
    type Pair = { a: PathParam; b: PathParam } | { a?: undefined; b?: undefined }
    expectTypeOf<PathArgs<'/x{/:a/:b}'>>().toEqualTypeOf<Pair>()
    expectTypeOf<PathArgs<'{/:a/literal/:b}'>>().toEqualTypeOf<Pair>()
    call('/x{/:a/:b}', {})
    call('/x{/:a/:b}', { a: 1, b: 2 })
    call('/x{/:a/:b}', { a: undefined, b: undefined })
    // @ts-expect-error one without the other
    call('/x{/:a/:b}', { a: 1 })
    // @ts-expect-error one without the other
    call('/x{/:a/:b}', { b: 1 })
    // @ts-expect-error there is no such param
    call('/x{/:a/:b}', { c: 1 })
    // @ts-expect-error a wildcard is no exception
    call('/x{/:a/*b}', { a: 1 })
    call('/:id{/:a/:b}', { id: 1, a: 1, b: 1 })
    // @ts-expect-error the required one is missing
    call('/:id{/:a/:b}', { a: 1, b: 1 })
  })

  test('an inner group comes only with its outer', () => {
    type Nested = { a: PathParam; b?: Optional } | { a?: undefined; b?: undefined }
    expectTypeOf<PathArgs<'{/:a{/:b}}'>>().toEqualTypeOf<Nested>()
    call('/x{/:a{/:b{/:c}}}', { a: 1, b: 2 })
    call('/x{/:a{/:b{/:c}}}', {})
    // @ts-expect-error b without a
    call('{/:a{/:b}}', { b: 1 })
    // @ts-expect-error c without b
    call('/x{/:a{/:b{/:c}}}', { a: 1, c: 2 })
  })

  test('a group without params of its own is always there', () => {
    expectTypeOf<PathArgs<'/x{/y}'>>().toEqualTypeOf<unknown>()
    expectTypeOf<PathArgs<'/x{/y{/:a}}'>>().toEqualTypeOf<{ a?: Optional }>()
  })

  test('a quoted name holds any character', () => {
    expectTypeOf<PathArgs<'/:"a/b"'>>().toEqualTypeOf<{ 'a/b': PathParam }>()
    expectTypeOf<PathArgs<'/:"a:b"'>>().toEqualTypeOf<{ 'a:b': PathParam }>()
    expectTypeOf<PathArgs<'/:"a{b}*?"'>>().toEqualTypeOf<{ 'a{b}*?': PathParam }>()
    expectTypeOf<PathArgs<'/:"say \\"hi\\""'>>().toEqualTypeOf<{ 'say "hi"': PathParam }>()
  })

  test('a name in a group and outside is required', () => {
    call('/:id{/copy/:id}', { id: 1 })
    // @ts-expect-error it is missing
    call('/:id{/copy/:id}', {})
  })

  test('a template that cannot be read takes no arguments at all', () => {
    expectTypeOf<PathArgs<'/u/:id(edit)'>>().toEqualTypeOf<PathSyntaxError<'a ( without a \\ before it'>>()
    expectTypeOf<PathArgs<'/u)'>>().toEqualTypeOf<PathSyntaxError<'a ) without a \\ before it'>>()
    expectTypeOf<PathArgs<'/x{/:id'>>().toEqualTypeOf<PathSyntaxError<'a { without its }'>>()
    expectTypeOf<PathArgs<'/x{/:id{/:b}'>>().toEqualTypeOf<PathSyntaxError<'a { without its }'>>()
    expectTypeOf<PathArgs<'/x/:id}'>>().toEqualTypeOf<PathSyntaxError<'a } without its {'>>()
    expectTypeOf<PathArgs<'/:'>>().toEqualTypeOf<PathSyntaxError<'a : without a name'>>()
    expectTypeOf<PathArgs<'/:1'>>().toEqualTypeOf<PathSyntaxError<'a : without a name'>>()
    expectTypeOf<PathArgs<'/:"x'>>().toEqualTypeOf<PathSyntaxError<'a : without a name'>>()
    expectTypeOf<PathArgs<'/*/x'>>().toEqualTypeOf<PathSyntaxError<'a * without a name'>>()
    expectTypeOf<PathArgs<'/a\\'>>().toEqualTypeOf<PathSyntaxError<'a \\ at the end'>>()
    expectTypeOf<PathArgs<'/a{/(:id)}'>>().toEqualTypeOf<PathSyntaxError<'a ( without a \\ before it'>>()
    // @ts-expect-error the parenthesis needs a backslash
    call('/u/:id(edit)', { id: 1 })
  })
})

test('the list path is the template up to its last param, without the group or segment of that', () => {
  expectTypeOf<ShortenPath<'/g{/:id}'>>().toEqualTypeOf<'/g'>()
  expectTypeOf<ShortenPath<'/x-:id'>>().toEqualTypeOf<'/'>()
  expectTypeOf<ShortenPath<'/:id'>>().toEqualTypeOf<'/'>()
  expectTypeOf<ShortenPath<'/a/:b/c/:d/e'>>().toEqualTypeOf<'/a/:b/c'>()
  expectTypeOf<ShortenPath<'/repos/:owner/*path'>>().toEqualTypeOf<'/repos/:owner'>()
  expectTypeOf<ShortenPath<'/users{/:id}'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'/:a-:b'>>().toEqualTypeOf<'/'>()
  expectTypeOf<ShortenPath<'/users/:id/edit'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>()
})

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

/** The templates of the corpus whose type says something else than the table, which the run time is held to. */
type Corpus = (typeof corpus)[number]
type WrongKeys<Row> = Row extends readonly [infer Path extends string, infer Names extends readonly string[], string]
  ? Equal<PathKeys<Path>, Names[number]> extends true
    ? never
    : [Path, PathKeys<Path>, Names[number]]
  : [Row]
type WrongLists<Row> = Row extends readonly [infer Path extends string, unknown, infer List]
  ? Equal<ShortenPath<Path>, List> extends true
    ? never
    : [Path, ShortenPath<Path>, List]
  : [Row]

test('for every template of the corpus the types say what the run time does', () => {
  expectTypeOf<WrongKeys<Corpus>>().toEqualTypeOf<never>()
  expectTypeOf<WrongLists<Corpus>>().toEqualTypeOf<never>()
})

type Sign =
  | (' ' | '!' | '#' | '%' | '&' | "'" | '+' | ',' | '-' | '.' | '/' | ';' | '<' | '=' | '>')
  | ('?' | '@' | '[' | ']' | '^' | '`' | '|' | '~' | '"')
type Misread<Char extends string> = Char extends string
  ? Equal<PathKeys<`/:name${Char}x`>, 'name'> extends true
    ? never
    : Char
  : never

test('every sign of ASCII ends a name', () => {
  expectTypeOf<Misread<Sign>>().toEqualTypeOf<never>()
})
