import type { Insertable } from 'kysely'
import type { CommentTable } from '../tables.js'
import type { Dice } from './dice.js'
import { PEOPLE } from './people.js'
import type { SeedTask } from './tasks.js'

const REMARKS = [
  'I can take this one tomorrow morning.',
  'Could you add a screenshot? I cannot see it on my machine.',
  'Works for me now. Who can look at it a second time?',
  'This depends on the change from last week, so let us wait for the release.',
  'I found two more places with the same problem and fixed them too.',
  'The numbers are better than I expected: half the time of before.',
  'Can we split this? The first part is small and could go out today.',
  'Asked the team on the pier, they prefer the shorter text.',
  'There is a test for it now, so it should not come back.',
  'I would rather keep the old behaviour for one more month.',
  'Moved the date, the supplier answers on Thursday.',
  'Looks good. One question: what happens without a connection?',
  'Reproduced it. It only happens the first time.',
  'Let us talk about it in the next round.',
  'Thank you, that was quick!',
] as const

const HOUR = 3_600_000

/** Makes the comments: on about every third task between one and four, none before the task or after now. */
export function commentsOn(tasks: readonly SeedTask[], now: Date, dice: Dice): Insertable<CommentTable>[] {
  const comments: Insertable<CommentTable>[] = []
  for (const task of tasks) {
    if (dice.roll() > 0.35) continue
    let time = task.createdAt.getTime()
    for (let count = dice.between(1, 4); count > 0; count--) {
      time = Math.min(now.getTime(), time + dice.between(1, 60) * HOUR)
      const writtenAt = new Date(time)
      comments.push({
        taskId: task.id,
        authorId: dice.between(1, PEOPLE.length),
        body: dice.pick(REMARKS),
        createdAt: writtenAt,
        updatedAt: writtenAt,
      })
    }
  }
  return comments
}
