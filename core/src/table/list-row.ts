import type { ListSchema } from '../schema/schema.js'
import { ListView } from './list-view.js'
import type { Node } from './node.js'
import { Row } from './row.js'

/** A row that is a list: it hears which of its members changed, so that its view is patched and not rebuilt. */
export class ListRow extends Row {
  readonly list: ListView = new ListView()
  /** The members' nodes by position, of the value that was built last. */
  children: readonly (Node | null)[] = []

  /** The Collection that says who belongs to the list, or in which order; set when an answer carried it. */
  keeper: ListSchema | undefined = undefined

  override soil(child: Node): boolean {
    // Members are entities: a list that is heard of is the one that this shows by another class.
    if (!(child instanceof ListRow)) this.list.soil(child)
    return super.soil(child)
  }
}
