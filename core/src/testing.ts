export { answerFrom } from './testing/answer-from.js'
export type { Fixture, Interceptor } from './testing/fixtures.js'
export { HandClock, settle } from './testing/hand-clock.js'
export { type MockControllerOptions, mockController } from './testing/mock-controller.js'
export {
  type Mounted,
  type RenderDataOptions,
  type RenderedData,
  type RenderResult,
  renderData,
  type ShownResult,
} from './testing/render-data.js'
