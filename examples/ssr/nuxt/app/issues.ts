// The definitions of the pages, which servers and browsers share.
import { Collection, Entity, RestEndpoint, validateRequired } from '@roundtable/core'

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

/** An issue with its text. It is the same row: without a text, as lists have it, it counts as missing here. */
export class IssueDetail extends Issue {
  text = ''

  static override validate(processed: Readonly<Record<string, unknown>>) {
    return validateRequired(processed, { text: '' })
  }
}

export const getMe = new RestEndpoint({ path: '/api/me', schema: User })
export const getIssues = new RestEndpoint({ path: '/api/issues', schema: new Collection([Issue]) })
export const getIssue = new RestEndpoint({ path: '/api/issues/:id', schema: IssueDetail })
export const getStats = new RestEndpoint({
  path: '/api/stats',
  process: (stats: { open: number }) => stats,
})
