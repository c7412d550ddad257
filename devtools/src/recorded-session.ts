import type { InspectedReader } from '@roundtable/core/inspect'
import { DevtoolsError } from './devtools-error.js'
import type { Recording } from './recording.js'
import type { Session } from './session.js'
import { type LogEvent, Story } from './story.js'

/** The facts of a commit in an export. */
interface RecordedFacts {
  readonly changed?: unknown
  readonly told?: unknown
}

/** Creates a read-only session that shows a recording. */
export function recordedSession(recording: Recording): Session {
  const events = recording.events.map(restored)
  const story = new Story(events)
  const kinds = new Map<string, string[]>()
  for (const { kind, pk } of recording.rows) kinds.set(kind, [...(kinds.get(kind) ?? []), pk])
  const refuse = (): never => {
    throw new DevtoolsError('A recording cannot be changed.')
  }
  const { outbox: waiting } = recording
  const outbox: Session['outbox'] = waiting && {
    getSnapshot: () => waiting,
    subscribe: () => () => {},
    retry: refuse,
    discard: refuse,
    resume: refuse,
  }
  return {
    name: `${recording.name} (recording)`,
    controller: undefined,
    isLive: false,
    isDisposed: false,
    events: () => events,
    explain: (event) => story.explain(event),
    tables: () => [...kinds].map(([kind, pks]) => ({ kind, isList: false, count: pks.length })),
    primaryKeys: (kind) => kinds.get(kind) ?? [],
    row: (kind, pk) => recording.rows.find((row) => row.kind === kind && row.pk === pk),
    results: () => recording.results,
    requests: () => recording.requests,
    layers: () => recording.layers,
    readers: () => recording.readers.map((reader) => ({ ...reader, observer: reader })),
    outbox,
    readersOf: (event) => (event.type === 'commit' ? (event.facts.notified as InspectedReader[]) : []),
    refetch: refuse,
    invalidate: refuse,
    edit: refuse,
    dropLayer: refuse,
    simulate: refuse,
    clear: refuse,
    export: () => recording,
    subscribe: () => () => {},
    disconnect: () => {},
  }
}

function restored(event: LogEvent): LogEvent {
  if (event.type !== 'commit') return event
  const { changed, told } = event.facts as RecordedFacts
  const rows = Array.isArray(changed) ? changed : []
  return { ...event, facts: { ...event.facts, rows: () => rows, notified: Array.isArray(told) ? told : [] } }
}
