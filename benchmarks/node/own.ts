/**
 * This library alone, one row of the suite in a process of its own: without arguments prints the rows, with the number
 * of one measures it. Bundled for two commits by `npm run bench -- --against`.
 */
import { type Contender, compare, type Effort, QUICK } from './measure.js'
import { OURS, ours } from './peers/ours.js'
import { comparisons } from './suite.js'

/** What one process measures of one row. */
export interface OwnRow {
  readonly row: string
  readonly on: string
}

/** Enough for a process that others follow. */
const ONE_OF_SEVERAL: Effort = { most: 40, least: 5, budget: 1_200, warmUps: 30 }

const isQuick = process.argv.includes('--quick')
const number = process.argv.slice(2).find((word) => !word.startsWith('--'))
const rows = comparisons(isQuick, [ours]).filter(({ isNew }) => !isNew)
const row = rows[Number(number)]
if (row === undefined) print(rows.map(({ row, on }): OwnRow => ({ row, on })))
else print(await compare(row.make().filter(isOwn), isQuick ? QUICK : ONE_OF_SEVERAL))
process.exit(0)

function isOwn({ name, isCold }: Contender): boolean {
  return name.startsWith(OURS) && !isCold
}

function print(value: unknown): void {
  process.stdout.write(JSON.stringify(value))
}
