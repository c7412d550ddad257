export { ConflictError, type StoredFields } from './http/conflict-error.js'
export type { Resolution } from './http/conflicts.js'
export { type HeaderOf, type Lifetime, lifetimeOf } from './http/lifetime.js'
export { type HttpOptions, http, withHttp } from './http/with-http.js'
