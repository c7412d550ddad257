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

/** Makes as many different titles as the project has tasks, such as "Fix the refund flow in the checkout". */
export function titlesOf({ taskCount, things, places }: ProjectPlan, dice: Dice): string[] {
  const titles = new Set<string>()
  while (titles.size < taskCount) {
    titles.add(`${dice.pick(VERBS)} the ${dice.pick(things)} for the ${dice.pick(places)}`)
  }
  return [...titles]
}
