import type { Actions } from './page/app.js'
import type { IssueChange, IssueData, State, UserData } from './page/issues.js'

/** A read, for libraries that leave requests to the app. */
export async function get<Data>(path: string): Promise<Data> {
  const response = await fetch(path)
  return response.json()
}

async function send<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** The requests that change something, and what they answer. */
export const requests = {
  updateIssue: (id: number, change: IssueChange) => send<IssueData>('PATCH', `/api/issues/${id}`, change),
  renameUser: (id: number, name: string) => send<UserData>('PATCH', `/api/users/${id}`, { name }),
  createIssue: (title: string, state: State) => send<IssueData>('POST', '/api/issues', { title, state }),
  deleteIssue: (id: number) => send<{ readonly id: number }>('DELETE', `/api/issues/${id}`),
  moveIssue: (id: number, state: State) => send<IssueData>('PATCH', `/api/issues/${id}`, { state }),
} satisfies Actions

/** After each request everything is asked for again that may show it. */
export function thenRefetch(refetch: () => unknown): Actions {
  const then = <Args extends readonly unknown[]>(request: (...args: Args) => Promise<unknown>) => {
    return async (...args: Args): Promise<unknown> => {
      await request(...args)
      return refetch()
    }
  }
  return {
    updateIssue: then(requests.updateIssue),
    renameUser: then(requests.renameUser),
    createIssue: then(requests.createIssue),
    deleteIssue: then(requests.deleteIssue),
    moveIssue: then(requests.moveIssue),
  }
}
