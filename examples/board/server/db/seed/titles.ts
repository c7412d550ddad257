import type { Dice } from './dice.js'
import type { ProjectPlan } from './projects.js'

const VERBS = [
  'Fix',
  'Test',
  'Document',
  'Rework',
  'Review',
  'Simplify',
  'Measure',
  'Translate',
  'Speed up',
  'Design',
  'Remove',
  'Add',
  'Replace',
  'Check',
  'Prepare',
  'Clean up',
  'Automate',
  'Restore',
  'Rename',
  'Finish',
] as const

/** So many titles are quickly found among the 4,800 that there are; the next as many get a number. */
const AT_ONCE = 1_200

/** Makes as many different titles as the project has tasks, such as "Fix the refund flow in the checkout". */
export function titlesOf({ taskCount, things, places }: ProjectPlan, dice: Dice): string[] {
  const titles = new Set<string>()
  while (titles.size < taskCount) {
    const part = Math.floor(titles.size / AT_ONCE) + 1
    const title = `${dice.pick(VERBS)} the ${dice.pick(things)} for the ${dice.pick(places)}`
    titles.add(part === 1 ? title : `${title}, part ${part}`)
  }
  return [...titles]
}
