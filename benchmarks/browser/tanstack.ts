import type { Actions } from './page/app.js'
import type { IssueData, State } from './page/issues.js'
import { get, requests, thenRefetch } from './requests.js'

/** The part of a QueryClient that the actions need; each framework's package has a class of its own. */
export interface Client {
  invalidateQueries(filters: { queryKey: readonly string[] }): Promise<void>
  setQueriesData<Data>(
    filters: { queryKey: readonly string[] },
    updater: (data: Data | undefined) => Data | undefined,
  ): unknown
  getQueryData<Data>(queryKey: readonly unknown[]): Data | undefined
}

/** For one minute what came is not asked for again: as Roundtable has it by itself. */
export const config = { defaultOptions: { queries: { staleTime: 60_000 } } }

/** The queries of the pages, in the form that all packages of TanStack Query take. */
export const queries = {
  list: { queryKey: ['issues', 'list', 'all'], queryFn: () => get<IssueData[]>('/api/issues') },
  listOf: (state: State) => ({
    queryKey: ['issues', 'list', state],
    queryFn: () => get<IssueData[]>(`/api/issues?state=${state}`),
  }),
  pinned: { queryKey: ['issues', 'pinned'], queryFn: () => get<IssueData[]>('/api/pinned') },
  /** What the list knows of it is shown while it is asked for. */
  detail: (client: Client, id: number) => ({
    queryKey: ['issues', 'detail', id],
    queryFn: () => get<IssueData>(`/api/issues/${id}`),
    placeholderData: () => client.getQueryData<IssueData[]>(queries.list.queryKey)?.find((issue) => issue.id === id),
  }),
}

/** What the documentation advises first: after a mutation, invalidate what it may have changed. */
export function invalidating(client: Client): Actions {
  return thenRefetch(() => client.invalidateQueries({ queryKey: ['issues'] }))
}

/** The other way: write the answer into each cached answer where it occurs, and ask for nothing. */
export function byHand(client: Client): Actions {
  /** Changes every issue, wherever it is cached. */
  const change = (update: (issue: IssueData) => IssueData): void => {
    const updateAll = (issues: readonly IssueData[] | undefined) => issues?.map(update)
    client.setQueriesData<readonly IssueData[]>({ queryKey: ['issues', 'list'] }, updateAll)
    client.setQueriesData<readonly IssueData[]>({ queryKey: ['issues', 'pinned'] }, updateAll)
    client.setQueriesData<IssueData>({ queryKey: ['issues', 'detail'] }, (issue) => issue && update(issue))
  }
  /** Changes the list of all, or of one state. */
  const changeList = (of: string, update: (issues: readonly IssueData[]) => readonly IssueData[]): void => {
    client.setQueriesData<readonly IssueData[]>(
      { queryKey: ['issues', 'list', of] },
      (issues) => issues && update(issues),
    )
  }
  const put = (issue: IssueData): void => change((old) => (old.id === issue.id ? issue : old))
  const append = (issue: IssueData) => (issues: readonly IssueData[]) => [...issues, issue]
  const without = (id: number) => (issues: readonly IssueData[]) => issues.filter((issue) => issue.id !== id)
  return {
    async updateIssue(id, body) {
      put(await requests.updateIssue(id, body))
    },
    async renameUser(id, name) {
      const author = await requests.renameUser(id, name)
      change((issue) => (issue.author.id === id ? { ...issue, author } : issue))
    },
    async createIssue(title, state) {
      const issue = await requests.createIssue(title, state)
      changeList('all', append(issue))
      changeList(state, append(issue))
    },
    async deleteIssue(id) {
      await requests.deleteIssue(id)
      for (const of of ['all', 'open', 'closed']) changeList(of, without(id))
    },
    async moveIssue(id, state) {
      const issue = await requests.moveIssue(id, state)
      put(issue)
      changeList(state === 'open' ? 'closed' : 'open', without(id))
      changeList(state, append(issue))
    },
  }
}
