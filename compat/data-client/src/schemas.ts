// The namespace `schema` of data-client, in which `Entity` is the mixin.
import { schema } from '@roundtable/core'

const ArraySchema: typeof schema.Array = schema.Array
const ObjectSchema: typeof schema.Object = schema.Object

export {
  All,
  EntityMixin,
  EntityMixin as Entity,
  Invalidate,
  Lazy,
  Query,
  Scalar,
  Union,
  Values,
} from '@roundtable/core'
export { Collection } from './collection.js'
export { ArraySchema as Array, ObjectSchema as Object }
