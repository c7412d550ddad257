export type { InspectedCaller } from './inspection/callers.js'
export {
  type InspectedLayer,
  type InspectedOutbox,
  type InspectedReader,
  type InspectedRequest,
  type InspectedResult,
  type InspectedRow,
  type InspectedTable,
  type Inspection,
  type InspectOptions,
  inspect,
} from './inspection/inspection.js'
