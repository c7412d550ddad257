/** Who wrote an issue. */
export interface UserData {
  readonly id: number
  readonly name: string
}

export type State = 'open' | 'closed'

/** An issue as the server sends it, with its author inside. */
export interface IssueData {
  readonly id: number
  readonly title: string
  readonly state: State
  readonly rank: number
  readonly author: UserData
}

/** What a page sends to change one. */
export type IssueChange = Partial<Pick<IssueData, 'title' | 'rank' | 'state'>>

/** As the sorted view shows them. */
export function byRank(issues: readonly IssueData[]): readonly IssueData[] {
  return [...issues].sort((a, b) => a.rank - b.rank || a.id - b.id)
}

/** How many users write the issues. */
export const USERS = 10
/** Cards that are pinned. */
export const PINNED = 10
