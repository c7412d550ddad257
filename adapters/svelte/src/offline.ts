export { useOutbox } from './use-outbox.js'
export { usePending } from './use-pending.js'
