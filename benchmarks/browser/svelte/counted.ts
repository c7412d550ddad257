import { rendered } from '../page/app.js'
import type { IssueData } from '../page/issues.js'

/** The issue; that a template looked at it anew is counted. */
export function counted(issue: IssueData): IssueData {
  rendered.count++
  return issue
}
