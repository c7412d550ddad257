import type { ListEngine } from '../commit/list-engine.js'
import { ListKind } from './list-kind.js'
import { settleLists } from './member-write.js'
import { isFurther, joinPage, pageMembers } from './page-result.js'
import { affectedBy, asksAbout, writeLists } from './write.js'

/** The code of lists that a Collection passes to the store and views. */
export const listEngine: Omit<ListEngine, 'loadPages' | 'temporaryKeys'> = {
  isListCode: true,
  makeLists: (key, life) => new ListKind(key, life),
  asksAbout,
  write: writeLists,
  joinPage,
  isFurther,
  pageMembers,
  settle: settleLists,
  affected: affectedBy,
}
