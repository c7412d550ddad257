export {
  type InspectedLayer,
  type InspectedReader,
  type InspectedRequest,
  type InspectedResult,
  type InspectedRow,
  type InspectedTable,
  type Inspection,
  inspect,
} from './inspection/inspection.js'
