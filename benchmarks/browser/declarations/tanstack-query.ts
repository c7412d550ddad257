// The same application with TanStack Query.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { get, requests } from '../requests.js'

const start = performance.now()

interface User {
  readonly id: number
  readonly name: string
}

interface Todo {
  readonly id: number
  readonly title: string
  readonly done: boolean
  readonly user: User
}

const users = {
  get: (id: number) => queryOptions({ queryKey: ['users', id], queryFn: () => get<User>(`/users/${id}`) }),
  getList: queryOptions({ queryKey: ['users'], queryFn: () => get<User[]>('/users') }),
  rename: mutationOptions({ mutationFn: ({ id, name }: User) => requests.renameUser(id, name) }),
}
const todos = {
  get: (id: number) => queryOptions({ queryKey: ['todos', id], queryFn: () => get<Todo>(`/todos/${id}`) }),
  getList: queryOptions({ queryKey: ['todos'], queryFn: () => get<Todo[]>('/todos') }),
  create: mutationOptions({ mutationFn: (title: string) => requests.createIssue(title, 'open') }),
  update: mutationOptions({ mutationFn: ({ id, title }: Todo) => requests.updateIssue(id, { title }) }),
  delete: mutationOptions({ mutationFn: (id: number) => requests.deleteIssue(id) }),
}
const getDone = queryOptions({ queryKey: ['done'], queryFn: () => get<Todo[]>('/done') })

/** Milliseconds that the declarations took. */
export const taken = performance.now() - start
export const declared = [users, todos, getDone]
