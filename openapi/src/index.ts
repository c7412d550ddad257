export { type Description, readDescription } from './description.js'
export { DescriptionError, type Place } from './description-error.js'
