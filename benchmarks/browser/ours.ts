import { type Controller, Entity, Query, RestEndpoint, resource } from '@roundtable/core'
import type { Actions } from './page/app.js'
import { byRank, type IssueData, type State } from './page/issues.js'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

class Issue extends Entity implements IssueData {
  static override key = 'Issue'
  static override schema = { author: User }
  id = 0
  title = ''
  state: State = 'open'
  rank = 0
  author: User = User.fromJS({})
}

const users = resource({ path: '/api/users/:id', schema: User })
const issues = resource({ path: '/api/issues/:id', schema: Issue, searchParams: {} as { state?: State } | undefined })

/** What the pages read with Roundtable. */
export const getIssues = issues.getList
export const getIssue = issues.get
export const getPinned = new RestEndpoint({ name: 'getPinned', path: '/api/pinned', schema: [Issue] })
export const sortedIssues = new Query(getIssues.schema, byRank)

/** What the pages do with Roundtable: the answer alone says what changed. */
export function actionsOf(controller: Controller): Actions {
  return {
    updateIssue: (id, change) => controller.fetch(issues.partialUpdate, { id }, change),
    renameUser: (id, name) => controller.fetch(users.partialUpdate, { id }, { name }),
    createIssue: (title, state) => controller.fetch(issues.create, { title, state }),
    deleteIssue: (id) => controller.fetch(issues.delete, { id }),
    moveIssue: (id, state) => controller.fetch(getIssues.move, { id }, { state }),
  }
}
