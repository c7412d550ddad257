import { describe, expect, test } from 'vitest'
import { readParts, type StateParts } from '../../../core/src/hydration/read-state.js'
import { type Content, decode, encode } from '../../../core/src/offline/record.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { cases } from '../../cases.js'
import { rowsOfState } from '../../rows-of-state.js'
import { Random } from '../../simulation/random.js'

const VERSION = 'mine'

/** What is known of one thing: its value, the response that told it, and how old and how long fresh that is. */
interface Said {
  readonly value: unknown
  readonly order: readonly [record: number, response: number]
  readonly age: number
  readonly lifetime: number | null
}

/** What a log says, worked out naively: record by record, thing by thing. */
function meaningOf(contents: readonly Content[]) {
  const said = new Map<string, Said>()
  const marks = new Map<string, readonly [record: number, response: number]>()
  const end = Math.max(0, ...contents.filter(({ version }) => version === VERSION).map(({ at }) => at))
  contents.forEach(({ version, at, reset, marks: marked = [], keys = [], state }, record) => {
    if (reset !== undefined) {
      said.clear()
      marks.clear()
    }
    if (version !== VERSION) return
    for (const [kind, pk, isInvalid] of marked) marks.set(`${isInvalid} ${kind} ${pk}`, [record, -1])
    for (const [key, isInvalid] of keys) {
      for (const [name, known] of said) {
        if (!name.startsWith(`result ${key}|`)) continue
        if (isInvalid) said.delete(name)
        else said.set(name, { ...known, lifetime: 0 })
      }
    }
    if (state === undefined) return
    const say = (name: string, response: number, value: unknown): void => {
      const [age = 0, lifetime = null] = state.responses[response] ?? []
      said.set(name, { value, order: [record, response], age: age + Math.max(0, end - at), lifetime })
    }
    for (const { kind, response, fields, pk, values } of rowsOfState(state))
      say(`row ${kind} ${pk}`, response, [fields, values])
    for (const [kind, response, pk, ...rest] of state.lists) say(`list ${kind} ${pk}`, response, rest)
    for (const [key, response, form, ...rest] of state.results) say(`result ${key}|${form}`, response, rest)
    for (const [kind, pk, response, isInvalid] of state.marks ?? [])
      marks.set(`${isInvalid} ${kind} ${pk}`, [record, response])
  })
  const isBefore = (a: readonly [number, number], b: readonly [number, number]): boolean =>
    a[0] === b[0] ? a[1] < b[1] : a[0] < b[0]
  return {
    // Those of each kind in the order in which selections of all rows show them.
    names: KINDS.map((kind) => [...said.keys()].filter((name) => name.startsWith(`row ${kind} `))),
    said: Object.fromEntries([...said].map(([name, { value, age, lifetime }]) => [name, { value, age, lifetime }])),
    // Numbers differ; which of two is older does not.
    older: [...said]
      .flatMap(([name, { order }]) =>
        [...said].flatMap(([other, { order: than }]) => (isBefore(order, than) ? [`${name} < ${other}`] : [])),
      )
      .sort(),
    // A mark that is older than all concerns nothing.
    marked: [...marks]
      .flatMap(([mark, at]) =>
        [...said].flatMap(([name, { order }]) => (isBefore(order, at) ? [`${mark}: ${name}`] : [])),
      )
      .sort(),
  }
}

const KINDS = ['Todo', 'User']
const PKS = ['1', '2', '3', 'é', '__proto__']

function randomState(random: Random): StateParts {
  const count = 1 + random.below(3)
  const some = <Item>(make: () => Item): Item[] => Array.from({ length: random.below(4) }, make)
  const shapes = [['id', 'title'], ['id'], []]
  const used = new Set<string>()
  /** A state has everything once. */
  const once = (name: string): boolean => !used.has(name) && Boolean(used.add(name))
  return {
    responses: Array.from({ length: count }, () => [random.below(100), random.pick([null, 0, 60_000])] as const),
    shapes,
    rows: some(() => {
      const shape = random.pick([0, 1, 2, null])
      const kind = random.pick(KINDS)
      const pks = some(() => random.pick(PKS)).filter((pk) => once(`row ${kind} ${pk}`))
      const length = shape === null ? 0 : (shapes[shape]?.length ?? 0)
      const records = pks.map(() => Array.from({ length }, () => random.below(9)))
      return [kind, random.below(count), shape, pks, shape === null ? [] : records] as const
    }).filter(([, , , pks]) => pks.length > 0),
    lists: some(
      () => [random.pick(['Todos', 'Users']), random.below(count), random.pick(PKS), {}, ['1'], [], 1] as const,
    ).filter(([kind, , pk]) => once(`list ${kind} ${pk}`)),
    results: some(
      () => [random.pick(['a', 'b', 'a b']), random.below(count), random.pick(['', 'E#']), '1', 1] as const,
    ).filter(([key, , form]) => once(`result ${key} ${form}`)),
  }
}

const randomBit = (random: Random): 0 | 1 => (random.chance(0.5) ? 1 : 0)

function randomLog(random: Random): Content[] {
  let at = 1_000
  return Array.from({ length: 1 + random.below(6) }, (_, i) => {
    // The clock is set back now and then.
    at += random.below(200) - 20
    const marks = Array.from(
      { length: random.below(3) },
      () => [random.pick(KINDS), random.pick([...PKS, null]), randomBit(random)] as const,
    )
    const keys = Array.from({ length: random.below(2) }, () => [random.pick(['a', 'b']), randomBit(random)] as const)
    return {
      version: random.below(6) === 0 ? 'other' : VERSION,
      at,
      number: i + 1,
      reset: random.below(12) === 0 ? i + 1 : undefined,
      marks,
      keys,
      state: random.below(4) === 0 ? undefined : randomState(random),
    }
  })
}

describe('a summary says what the log says', () => {
  test('of random logs, also of one of which a part was summarized before', () => {
    for (let seed = 1; seed <= cases(10_000); seed++) {
      const random = new Random(seed)
      const log = randomLog(random)
      const meaning = meaningOf(log)
      const cut = random.below(log.length + 1)
      const summary = summarize(log, VERSION)
      const ofParts = [summarize(log.slice(0, cut), VERSION), ...log.slice(cut)]
      const twice = summarize(ofParts, VERSION)
      for (const [name, other] of Object.entries({ summary: [summary], ofParts, twice: [twice] })) {
        // Two parts of one response may be told as two, one right after the other.
        const { older, ...rest } = meaningOf(other)
        const { older: expected, ...all } = meaning
        expect({ seed, name, ...rest }).toEqual({ seed, name, ...all })
        expect(older).toEqual(expect.arrayContaining(expected))
      }
      // It can be written, read and checked.
      expect(decode(encode(summary))).toEqual({
        number: 0,
        own: [],
        marks: [],
        keys: [],
        ...JSON.parse(JSON.stringify(summary)),
      })
      if (summary.state !== undefined) readParts(summary.state)
    }
  })

  test('and has each thing once, however often it was told', () => {
    const log = Array.from({ length: 50 }, (_, i) => randomLog(new Random(i + 1)))
      .flat()
      .filter(({ reset }) => reset === undefined)
    const { state } = summarize(log, VERSION)
    const names = state === undefined ? [] : rowsOfState(state).map(({ kind, pk }) => `${kind} ${pk}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBe(KINDS.length * PKS.length)
    expect(state?.responses.length).toBeLessThanOrEqual(names.length + 10 + 6 + 2 * KINDS.length * (PKS.length + 1))
  })
})
