export { dehydrate, dehydrateParts } from './hydration/dehydrate.js'
export { type HydrateOptions, hydrate, requestMark } from './hydration/hydrate.js'
export {
  type ReceiveOptions,
  receiveState,
  type StreamStateOptions,
  streamState,
  toStatement,
} from './hydration/page-stream.js'
export type { DehydrateOptions } from './hydration/parts.js'
export { fromDocument, type ScriptOptions, toScript } from './hydration/script.js'
export type { Dehydrated } from './hydration/state.js'
export { dehydrateStream, type StreamOptions } from './hydration/stream.js'
