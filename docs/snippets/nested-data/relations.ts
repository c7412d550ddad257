import { Controller } from '@roundtable/core'
import { Issue, IssueResource, User } from './api.js'

const controller = new Controller()
controller.setResponse(IssueResource.getList, [
  {
    id: 1,
    title: 'Broken',
    author: { id: 7, name: 'Ann' },
    labels: [{ slug: 'bug', color: 'red' }],
    createdAt: '2026-03-02T10:00:00Z',
  },
  {
    id: 2,
    title: 'Slow',
    author: 7,
    labels: ['bug'],
    createdAt: '2026-03-03T10:00:00Z',
  }, // primary keys refer to rows
])
const [first, second] =
  controller.getResponse(IssueResource.getList).data ?? []
console.log(first?.author?.name, first?.author === second?.author) // → Ann true
console.log(second?.labels[0]?.color, second?.createdAt.getUTCDate()) // → red 3

controller.set(User, { id: 7 }, { name: 'Anna' })
console.log(controller.get(Issue, { id: 2 })?.author?.name) // → Anna
controller.dispose()
