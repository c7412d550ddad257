// The definitions of the page, which servers and browsers share.
import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}

export class Issue extends Entity {
  static override key = 'Issue'
  static override schema = { author: User }
  id = 0
  title = ''
  author: User | undefined = undefined
}

export const getMe = new RestEndpoint({ path: '/api/me', schema: User })
export const getIssues = new RestEndpoint({ path: '/api/issues', schema: new Collection([Issue]) })
export const getStats = new RestEndpoint({
  path: '/api/stats',
  process: (stats: { open: number }) => stats,
})
