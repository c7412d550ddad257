import { Collection, Controller, Endpoint, Entity, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { dehydrate as dehydrateQueries, QueryClient } from '@tanstack/query-core'
import { describe, expect, test } from 'vitest'

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

describe('a state names each member of a list once', () => {
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ id: `issue-${from + i}` }))
  const getIssues = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/issues',
    searchParams: {} as { page?: number },
    paginationField: 'page',
    schema: new Collection([Issue]),
    fetchResponse: async () => Response.json({ id: 'issue-new' }),
  })
  const lengthOf = (controller: Controller) => {
    const [list] = dehydrate(controller).lists
    const browser = new Controller()
    hydrate(browser, JSON.parse(JSON.stringify(dehydrate(controller))))
    expect(browser.get(getIssues.schema, {})).toEqual(controller.get(getIssues.schema, {}))
    expect(dehydrate(browser).lists[0]?.slice(4, 6)).toEqual(list?.slice(4, 6))
    return JSON.stringify(list).length
  }

  test('also one of several pages', () => {
    const whole = new Controller()
    whole.setResponse(getIssues, {}, ids(0, 200))
    const paged = new Controller()
    paged.setResponse(getIssues, {}, ids(0, 50))
    for (const page of [1, 2, 3]) paged.setResponse(getIssues.getPage, { page }, ids(page * 50, page * 50 + 50))
    expect(lengthOf(paged) - lengthOf(whole)).toBeLessThan(150)
  })

  test('also one to which a mutation has added members', async () => {
    const controller = new Controller()
    controller.setResponse(getIssues, {}, ids(0, 200))
    const before = lengthOf(controller)
    await controller.fetch(getIssues.push, {}, { id: 'issue-new' })
    expect(lengthOf(controller) - before).toBeLessThan(60)
  })

  test.each([[[0, 201]], [[-1, 2]], [['0', '2']], [[]], [[3, 1]], [[0.5, 2]], [[null, 1]]])(
    'a page with places that the list does not have is reported, and not shown: %j',
    (place) => {
      const controller = new Controller()
      controller.setResponse(getIssues, {}, ids(0, 200))
      const state = JSON.parse(JSON.stringify(dehydrate(controller)))
      state.lists[0][5] = [['{}', null, 0, [place]]]
      const errors: unknown[] = []
      const browser = new Controller({ onError: (error: unknown) => errors.push(error) } as never)
      hydrate(browser, state)
      expect(browser.get(getIssues.schema, {})).toBeUndefined()
    },
  )
})
