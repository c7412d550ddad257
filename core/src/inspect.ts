export type { InspectedCaller } from './inspection/callers.js'
export type {
  InspectedLayer,
  InspectedOutbox,
  InspectedReader,
  InspectedRequest,
  InspectedResult,
  InspectedRow,
  InspectedTable,
} from './inspection/inspected.js'
export { Inspection, type InspectOptions, inspect } from './inspection/inspection.js'
