// Written by @roundtable/openapi: changes are lost when it is written again.
/* eslint-disable */
import { Collection, Entity, Invalidate, RestEndpoint, type RestGenerics } from '@roundtable/core'
import type * as T from './types.gen.js'

const urlPrefix = ''

/** An object with rows in it, whose other fields stay as they came. */
function withFields<Fields>() {
  return <const Rows>(rows: Rows) =>
    rows as Rows & { readonly [Name in keyof Omit<Fields, keyof Rows>]-?: (value: Fields[Name]) => Fields[Name] }
}

/** An endpoint whose data have no rows. */
function plain<Data>() {
  return <const Options extends RestGenerics>(options: Options) =>
    new RestEndpoint(options as never) as never as RestEndpoint<Options, Data>
}

/** A body as a form; `nested` are fields that are written as `name[field]`. */
function formOf(body: object | undefined, nested: readonly string[] = []): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (nested.includes(name) || (isNested(value) && !Array.isArray(value))) addNested(form, name, value)
    else for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) form.append(name, textOf(one))
  }
  return form
}

function addNested(search: URLSearchParams, name: string, value: unknown): void {
  if (isNested(value)) for (const [field, one] of Object.entries(value)) addNested(search, `${name}[${field}]`, one)
  else if (value !== undefined) search.append(name, textOf(value))
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The rows that UserPublic, UserWithTasks show: whatever one of them is told, the others know. */
abstract class UserPublicKind extends Entity {
  static override key = 'UserPublic'
}

export class UserPublic extends UserPublicKind {}
export interface UserPublic extends T.UserPublic {}

export class UserWithTasks extends UserPublicKind {
  static override get schema() {
    return { tasks: [TaskPublic] }
  }
}
export interface UserWithTasks extends Omit<T.UserWithTasks, 'tasks'> {
  tasks: readonly TaskPublic[]
}

export class TaskPublic extends Entity {
  static override key = 'TaskPublic'
  static override get schema() {
    return { owner: UserPublic }
  }
}
export interface TaskPublic extends Omit<T.TaskPublic, 'owner'> {
  owner?: UserPublic | null | undefined
}

/**
 * Read Users
 *
 * GET /users/
 */
export const readUsersUsersGet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/users/',
    searchParams: {} as T.ReadUsersUsersGetData['query'],
    schema: new Collection([UserPublic], { nonFilterArgumentKeys: ['skip', 'limit'] }),
    movePath: '/users/:id',
    paginationField: 'skip',
  }))()

/**
 * Create User
 *
 * POST /users/
 */
export const createUserUsersPost = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/users/',
    method: 'POST',
    body: {} as T.CreateUserUsersPostData['body'],
    schema: readUsersUsersGet.schema.push,
  }))()

/**
 * Read User
 *
 * GET /users/{user_id}
 */
export const readUserUsersUserIdGet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/users/:id',
    schema: UserWithTasks,
  }))()

/**
 * Delete User
 *
 * DELETE /users/{user_id}
 */
export const deleteUserUsersUserIdDelete = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/users/:id',
    method: 'DELETE',
    schema: new Invalidate(UserWithTasks),
  }))()

/**
 * Update User
 *
 * PATCH /users/{user_id}
 */
export const updateUserUsersUserIdPatch = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/users/:id',
    method: 'PATCH',
    body: {} as T.UpdateUserUsersUserIdPatchData['body'],
    schema: UserPublic,
  }))()

/**
 * Read Tasks
 *
 * GET /tasks/
 */
export const readTasksTasksGet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/',
    searchParams: {} as T.ReadTasksTasksGetData['query'],
    schema: withFields<T.TaskPage>()({ items: new Collection([TaskPublic], { nonFilterArgumentKeys: ['cursor'] }) }),
    paginationField: 'cursor',
    nextPage: ({ response }) => (response.next_cursor ? { cursor: response.next_cursor } : null),
    pageFields: ['next_cursor'],
  }))()

/**
 * Create Task
 *
 * POST /tasks/
 */
export const createTaskTasksPost = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/',
    method: 'POST',
    body: {} as T.CreateTaskTasksPostData['body'],
    schema: readTasksTasksGet.schema.items.push,
  }))()

/**
 * Read Task
 *
 * GET /tasks/{task_id}
 */
export const readTaskTasksTaskIdGet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/:id',
    schema: TaskPublic,
  }))()

/**
 * Replace Task
 *
 * PUT /tasks/{task_id}
 */
export const replaceTaskTasksTaskIdPut = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/:id',
    method: 'PUT',
    body: {} as T.ReplaceTaskTasksTaskIdPutData['body'],
    schema: TaskPublic,
  }))()

/**
 * Delete Task
 *
 * DELETE /tasks/{task_id}
 */
export const deleteTaskTasksTaskIdDelete = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/:id',
    method: 'DELETE',
    schema: new Invalidate(TaskPublic),
  }))()

/**
 * Complete Task
 *
 * POST /tasks/{task_id}/complete
 */
export const completeTaskTasksTaskIdCompletePost = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/tasks/:task_id/complete',
    method: 'POST',
    body: undefined,
    schema: TaskPublic,
  }))()

/**
 * Login
 *
 * POST /token
 */
export const loginTokenPost = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/token',
    method: 'POST',
    body: {} as T.LoginTokenPostData['body'],
    getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, formOf(body))
    },
    process: (value: T.LoginTokenPostResponse) => value,
  }))()

/**
 * Read Item
 *
 * GET /items/{item-id}
 */
export const readItemItemsItemIdGet = /* @__PURE__ */ (() =>
  plain<unknown>()({
    urlPrefix,
    path: '/items/:"item-id"',
  }))()

/**
 * Health
 *
 * GET /health
 */
export const healthHealthGet = /* @__PURE__ */ (() =>
  plain<T.HealthHealthGetResponse>()({
    urlPrefix,
    path: '/health',
  }))()

/** The endpoints of UserPublic. */
export const UserPublicResource = {
  get: readUserUsersUserIdGet,
  getList: readUsersUsersGet,
  create: createUserUsersPost,
  partialUpdate: updateUserUsersUserIdPatch,
  delete: deleteUserUsersUserIdDelete,
}

/** The endpoints of TaskPublic. */
export const TaskPublicResource = {
  get: readTaskTasksTaskIdGet,
  getList: readTasksTasksGet,
  create: createTaskTasksPost,
  update: replaceTaskTasksTaskIdPut,
  delete: deleteTaskTasksTaskIdDelete,
  completeTaskTasksTaskIdCompletePost,
}
