import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Note extends Entity {
  static override key = 'Note'
  id = 0
  text = ''
  archivedAt: string | null = null
}

const urlPrefix = 'https://api.example.com'

export const getNotes = new RestEndpoint({
  urlPrefix,
  path: '/notes',
  schema: new Collection([Note], { belongs: (note) => !note.archivedAt }),
})

export const getArchive = new RestEndpoint({
  urlPrefix,
  path: '/notes/archive',
  schema: new Collection([Note], {
    argsKey: () => ({ list: 'archive' }),
    belongs: (note) => Boolean(note.archivedAt),
  }),
})

export const archiveNote = new RestEndpoint({
  urlPrefix,
  path: '/notes/:id',
  method: 'DELETE', // the server answers with the archived note
  schema: Note,
  getOptimisticResponse: (snapshot, { id }) => ({
    id,
    archivedAt: new Date(snapshot.fetchedAt ?? 0).toISOString(),
  }),
})

export const restoreNote = new RestEndpoint({
  urlPrefix,
  path: '/notes/:id/restore',
  method: 'POST',
  body: undefined,
  schema: Note,
  getOptimisticResponse: (_, { id }) => ({ id, archivedAt: null }),
})
