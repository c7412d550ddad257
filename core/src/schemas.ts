/** The schema kinds by their short names: `schema.Array`, `schema.Values` … */

export { ArraySchema as Array } from './schema/array.js'
export { ObjectSchema as Object } from './schema/object.js'
export * from './schema-kinds.js'
