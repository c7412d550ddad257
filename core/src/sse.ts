export { type SseOptions, sse } from './live/server-sent-events.js'
