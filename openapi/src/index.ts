export { DescriptionError, type Place } from './description-error.js'
export { type Generated, type GenerateOptions, generate } from './generate.js'
export type { KindOptions } from './kinds.js'
