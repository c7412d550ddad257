import { Entity } from '@roundtable/core'

export class VersionedTodo extends Entity {
  static override key = 'VersionedTodo'
  id = 0
  title = ''
  version = 0

  static override shouldUpdate(
    _existingMeta: unknown,
    _incomingMeta: unknown,
    existing: Partial<VersionedTodo>,
    incoming: Partial<VersionedTodo>,
  ) {
    // Optimistic changes and many responses to mutations have no version.
    if (incoming.version === undefined) return true
    return incoming.version >= (existing.version ?? 0)
  }
}
