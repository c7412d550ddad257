/** The schema kinds, by the names under which the package exports them. */

export { Collection } from './schema/collection/collection.js'
export { Entity } from './schema/entity.js'
export { EntityMixin } from './schema/entity-mixin.js'
export { Invalidate } from './schema/invalidate.js'
export { Lazy } from './schema/lazy.js'
export { Query } from './schema/query.js'
export { Scalar } from './schema/scalar.js'
export { Union } from './schema/union.js'
export { Values } from './schema/values.js'
export { All } from './selections/all.js'
