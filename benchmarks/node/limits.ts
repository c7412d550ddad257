import type { Dataset } from './data/datasets.js'
import type { Contender } from './measure.js'
import { Row } from './peers/ours.js'

type Fields = Readonly<Record<string, unknown>>

/** What no library can be faster than: the same data taken in by the bare platform. */
export function limits(dataset: Dataset): Contender[] {
  const { json, shape } = dataset
  return [
    parse(dataset),
    {
      name: 'limit: structuredClone',
      prepare: () => {
        const answer: unknown = JSON.parse(json)
        return () => structuredClone(answer)
      },
    },
    {
      name: 'limit: Map.set of each record',
      prepare: () => {
        const records = recordsOf(JSON.parse(json))
        return () => {
          const tables = new Map<string, unknown>()
          for (const record of records) tables.set(record.id as string, record)
          return tables
        }
      },
    },
    ...(shape === 'flat' ? [instances(json)] : []),
  ]
}

/** JSON.parse of the answer: what every library pays before it begins. */
export function parse({ json }: Dataset): Contender {
  return { name: PARSE, prepare: () => () => JSON.parse(json) }
}

export const PARSE = 'limit: JSON.parse'

function instances(json: string): Contender {
  return {
    name: 'limit: one instance per row',
    prepare: () => {
      const rows = JSON.parse(json) as Fields[]
      return () => rows.map((row) => Object.assign(Object.create(Row.prototype), row))
    },
  }
}

/** Every record in an answer, however deep. */
function recordsOf(answer: unknown): Fields[] {
  if (Array.isArray(answer)) return answer.flatMap(recordsOf)
  if (typeof answer !== 'object' || answer === null) return []
  return [answer as Fields, ...Object.values(answer).flatMap(recordsOf)]
}
