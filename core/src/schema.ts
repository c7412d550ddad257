export {
  type Conversions,
  type EntityOf,
  type EntityOfOptions,
  entityOf,
  type FieldsOf,
  type Relations,
} from './standard/entity-of.js'
export { input, output, type SendsOptions, type SentSchemas, sends } from './standard/requests.js'
export type { InputOf, OutputOf, StandardIssue, StandardResult, StandardSchema } from './standard/standard-schema.js'
