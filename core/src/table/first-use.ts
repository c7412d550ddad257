import type { ListSchema } from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import type { Kind, ListNode, RecordRow } from './row.js'

/** Hears of what is used for the first time, since data may have come before its class, its Collection or its schema. */
export interface FirstUse {
  /** A class declares relations by which rows of its key were not split so far. */
  relations?(kind: Kind<RecordRow>, info: EntityInfo): void
  /** A Collection: lists of its key may have come. */
  lists?(schema: ListSchema): void
  /** A list, by the Collection that it is of: several may share a key. Called for each use. */
  list?(schema: ListSchema, list: ListNode): void
  /** A fetch key, by a schema of another form than before. */
  key?(key: string): void
}
