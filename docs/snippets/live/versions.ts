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
    return (incoming.version ?? 0) >= (existing.version ?? 0)
  }
}
