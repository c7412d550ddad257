import { Collection, Controller, Endpoint, Entity } from '@roundtable/core'
import { dehydrate } from '@roundtable/core/hydration'
import { dehydrate as dehydrateQueries, QueryClient } from '@tanstack/query-core'
import { expect, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
}

class Issue extends Entity {
  static override key = 'Issue'
  static override schema = { author: User, assignee: User }
  id = ''
}

const users = Array.from({ length: 10 }, (_, i) => ({
  id: `u${i}`,
  name: `User number ${i}`,
  email: `user${i}@example.com`,
  avatar: `https://example.com/avatars/${i}.png`,
}))
const issues = Array.from({ length: 300 }, (_, i) => ({
  id: `${i}`,
  title: `Issue ${i}: ${['crashes', 'is slow', 'looks odd'][i % 3]}`,
  state: i % 4 === 0 ? 'closed' : 'open',
  votes: (i * 7) % 50,
  author: users[i % 10],
  assignee: users[(i * 3) % 10],
}))

test('a list of 300 issues by 10 users is at most 60 % of what TanStack Query dehydrates for the same response', () => {
  const getIssues = new Endpoint(() => Promise.resolve(issues), { name: 'getIssues', schema: new Collection([Issue]) })
  const controller = new Controller({ server: true })
  controller.setResponse(getIssues, issues as never)
  const ours = JSON.stringify(dehydrate(controller))
  const client = new QueryClient()
  client.setQueryData(['issues'], issues)
  const theirs = JSON.stringify(dehydrateQueries(client))
  // Measured: 19.3 of 91.6 kB. With gzip it is 4.3 of 3.5 kB for these regular texts, and 7.1 of 8.1 kB for those of
  // the guide.
  expect(ours.length / theirs.length).toBeLessThan(0.6)
})
