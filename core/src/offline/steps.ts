import { decodeArgs, encodeArgs } from './args.js'
import {
  type Answer,
  after,
  type CreatedKeys,
  type ErrorFacts,
  type Mutations,
  type RealKeys,
  type Step,
} from './mutation.js'
import type { Content, StoredStep } from './record.js'
import { StorageError } from './storage-error.js'

/** The limits of a summary for suspended tabs: ends of mutations, and characters of responses. */
const ENDS = 32
const LONGEST_ANSWER = 2_000

/**
 * Returns a step as a record can keep it.
 *
 * @throws TypeError for a mutation with arguments that cannot be stored
 */
export function encodeStep(step: Step): StoredStep {
  switch (step[0]) {
    case 'add': {
      const { id, name, args, at, attempts, isTried, kept, error, rows = [] } = step[1]
      const tries = isTried ? ~attempts : attempts
      const files: Blob[] = []
      const encoded = encodeArgs(args, files)
      return [['add', id, name, encoded, at, tries, kept ?? 0, error ? encodeError(error) : 0, rows], ...files]
    }
    case 'keep':
      return [['keep', step[1], step[2] ?? 0]]
    case 'refuse':
      return [['refuse', step[1], encodeError(step[2]), step[3]]]
    default:
      return [step]
  }
}

/** The items after the id and the name of a mutation. */
type StoredMutation = readonly [
  args: unknown,
  at: number,
  /** The counted attempts; the complement of their number if it may have been sent. */
  tries: number,
  kept: unknown,
  error: unknown,
  rows: readonly string[],
]

function encodeError({ name, message, code, status, body }: ErrorFacts): unknown {
  return [name, message, code ?? 0, status ?? 0, ...(body === undefined ? [] : [body])]
}

/** Returns the steps of records. Damaged ones are left out, with the others of their record. */
export function stepsOf(contents: readonly Content[], report?: (error: StorageError) => void): readonly Step[] {
  return contents.flatMap(({ steps = [] }) => {
    try {
      return steps.map(decodeStep)
    } catch (cause) {
      report?.(new StorageError('has a damaged record, whose mutations were left out', { cause }))
      return []
    }
  })
}

function decodeStep([data, ...files]: StoredStep): Step {
  const [type, id, second, ...rest] = data as readonly [Step[0], string, unknown, ...unknown[]]
  switch (type) {
    case 'add': {
      const [args, at, tries, kept, error, rows] = rest as unknown as StoredMutation
      const decoded = decodeArgs(args, files) as readonly unknown[]
      const tried = tries < 0 ? { attempts: ~tries, isTried: true } : { attempts: tries }
      const mutation = { id, name: second as string, args: decoded, at, ...tried, kept: kept || undefined }
      return ['add', error === 0 ? mutation : { ...mutation, error: decodeError(error), rows }]
    }
    case 'refuse':
      return ['refuse', id, decodeError(second), rest[0] as readonly string[]]
    case 'try':
      return [type, id, second as number, rest[0] === true]
    case 'keep':
      return [type, id, second || undefined]
    case 'end':
      return [type, id, second as CreatedKeys, rest[0] as Answer]
    default:
      return [type, id]
  }
}

function decodeError(encoded: unknown): ErrorFacts {
  const [name, message, code, status, body] = encoded as readonly [string, string, string | 0, number, unknown]
  return { name, message, code: code || undefined, status: status || undefined, body }
}

/** Returns the mutations that wait, and adds the real keys of the rows that others have created to `realKeys`. */
export function mutationsOf(steps: readonly Step[], realKeys: RealKeys = new Map()): Mutations {
  return steps.reduce<Mutations>((mutations, step) => after(mutations, step, realKeys), new Map())
}

/** Returns the steps of a summary of records. */
export function mergeSteps(contents: readonly Content[]): readonly StoredStep[] {
  return mergedSteps(stepsOf(contents)).map(encodeStep)
}

/** Returns these steps in short: the last ends of mutations, and those that wait. */
export function mergedSteps(steps: readonly Step[]): readonly Step[] {
  const adds = [...mutationsOf(steps).values()].map((mutation): Step => ['add', mutation])
  const ends = steps.flatMap((step): readonly Step[] => {
    if (step[0] !== 'end') return []
    const [type, id, keys, answer] = step
    return [[type, id, keys, Array.isArray(answer) && answer[2].length > LONGEST_ANSWER ? 1 : answer]]
  })
  return [...ends.slice(-ENDS), ...adds]
}
