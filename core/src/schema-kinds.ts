/** The schema kinds, by the names under which the package exports them. */

export { Collection } from './collections/collection.js'
export { Entity } from './schema/entity.js'
export { EntityMixin } from './schema/entity-mixin.js'
export { Invalidate } from './schema/invalidate.js'
export { Lazy } from './schema/lazy.js'
export { Union } from './schema/union.js'
export { Values } from './schema/values.js'
export { All } from './selections/all.js'
export { Query } from './selections/query.js'
export { Scalar } from './selections/scalar.js'
