export { type Backend, backend } from './backend/backend.js'
export { changesOf } from './backend/changes.js'
export { handlersFor, type MswFunctions } from './backend/handlers-for.js'
export type {
  BackendAnswer,
  BackendCall,
  BackendKind,
  BackendLogEntry,
  BackendOptions,
  SentValue,
} from './backend/options.js'
export type { BackendChange } from './backend/tables.js'
