import type { ListEngine } from '../commit/list-engine.js'
import { ListKind } from './list-kind.js'
import { settleLists } from './member-write.js'
import { joinPage, pageMembers } from './page-result.js'
import { asksAbout, writeLists } from './write.js'

/** All that lists need of the store and of views: what a Collection hands over. */
export const listEngine: Omit<ListEngine, 'loadPages' | 'temporaryKeys'> = {
  isListCode: true,
  makeLists: (key, life) => new ListKind(key, life),
  asksAbout,
  write: writeLists,
  joinPage,
  pageMembers,
  settle: settleLists,
}
