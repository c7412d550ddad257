export type { HttpWireOptions } from './live/http-stream.js'
export { sse } from './live/server-sent-events.js'
