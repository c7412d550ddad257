import { decodeArgs, encodeArgs } from './args.js'
import { type Mutation, mutationsOf, type Step } from './mutation.js'
import { type Content, FOR_SUSPENDED, type StoredStep } from './record.js'
import { isAfter } from './summary.js'

/** The number of characters of a response that a summary keeps for suspended tabs. */
const LONGEST_ANSWER = 2_000

/**
 * Returns a step as a record can keep it. Names of properties are those of the public `OutboxEntry` and `ErrorFacts`,
 * which no build shortens.
 *
 * @throws TypeError for a mutation with arguments that cannot be stored
 */
export function encodeStep(step: Step): StoredStep {
  if (step[0] !== 'add') return [step]
  const [type, id, { args, kept, isTried, ...rest }] = step
  const files: Blob[] = []
  return [[type, id, encodeArgs(args, files), kept, rest, isTried], ...files]
}

/** Returns the steps of records. */
export function stepsOf(contents: readonly Content[]): readonly Step[] {
  return contents.flatMap(({ steps = [] }) => steps.map(decodeStep))
}

/** JSON has null for undefined. */
function decodeStep([data, ...files]: StoredStep): Step {
  const [type, id, second, kept, rest, isTried] = data as readonly [
    Step[0],
    string,
    unknown,
    unknown,
    Mutation,
    unknown,
  ]
  if (type === 'keep') return [type, id, second ?? undefined]
  if (type !== 'add') return data as unknown as Step
  const args = decodeArgs(second, files) as readonly unknown[]
  return [type, id, { ...rest, args, kept: kept ?? undefined, isTried: (isTried ?? undefined) as boolean | undefined }]
}

/** Returns the steps of a summary of records. Responses from before a reset may be another user's. */
export function mergeSteps(contents: readonly Content[]): readonly StoredStep[] {
  let steps: Step[] = []
  let reset: number | undefined
  for (const content of contents) {
    if (content.reset !== undefined) {
      steps = steps.map(withoutAnswer)
      reset = content.reset
    }
    const own = stepsOf([content])
    steps.push(...(isAfter(content, reset) ? own : own.map(withoutAnswer)))
  }
  return mergedSteps(steps).map(encodeStep)
}

/** Returns a step without the server's response. */
export function withoutAnswer(step: Step): Step {
  return step[0] === 'end' ? [step[0], step[1], step[2], step[3] && 1] : step
}

/** Returns these steps in short: the last ends of mutations, and those that wait. */
export function mergedSteps(steps: readonly Step[]): readonly Step[] {
  const adds = [...mutationsOf(steps).values()].map((mutation): Step => ['add', mutation.id, mutation])
  const ends = steps.flatMap((step): readonly Step[] => {
    if (step[0] !== 'end') return []
    const [type, id, keys, answer] = step
    return [[type, id, keys, Array.isArray(answer) && answer[2].length > LONGEST_ANSWER ? 1 : answer]]
  })
  return [...ends.slice(-FOR_SUSPENDED), ...adds]
}
