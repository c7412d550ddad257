export { ConflictError, type StoredFields } from './http/conflict-error.js'
export { type HeaderOf, type Lifetime, lifetimeOf } from './http/lifetime.js'
export { type HttpOptions, http, type Resolution, withHttp } from './http/with-http.js'
