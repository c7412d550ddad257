export { indexedDbLog } from './offline/indexed-db.js'
export { type LogEntry, type LogRecord, memoryLog, type OfflineLog } from './offline/log.js'
export { type OfflineOptions, type OfflineStore, offline } from './offline/offline.js'
export { StorageError } from './offline/storage-error.js'
