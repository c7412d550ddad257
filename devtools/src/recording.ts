import type {
  InspectedLayer,
  InspectedReader,
  InspectedRequest,
  InspectedResult,
  InspectedRow,
} from '@roundtable/core/inspect'
import type { OutboxEntry } from '@roundtable/core/offline'
import { DevtoolsError } from './devtools-error.js'
import type { LogEvent } from './story.js'

/** The version of exports. Other versions are rejected. */
export const VERSION = 1

/** A session as plain data, for a bug report. It contains the application's data. */
export interface Recording {
  readonly format: 'roundtable-devtools'
  readonly version: typeof VERSION
  readonly name: string
  /** Wall clock in ms of the export. */
  readonly date: number
  readonly events: readonly LogEvent[]
  readonly rows: readonly InspectedRow[]
  readonly results: readonly InspectedResult[]
  readonly requests: readonly InspectedRequest[]
  readonly layers: readonly InspectedLayer[]
  readonly readers: readonly Omit<InspectedReader, 'observer'>[]
  /** The outbox; undefined for a controller without an outbox. */
  readonly outbox?: readonly OutboxEntry[]
}

/**
 * Parses an export.
 *
 * @throws DevtoolsError if the text is not JSON, not from these tools, or of another version
 */
export function parseRecording(text: string): Recording {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new DevtoolsError('This is not JSON. Choose a file that was saved by Export.')
  }
  const found = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Partial<Recording>
  if (found.format !== 'roundtable-devtools') {
    throw new DevtoolsError('This JSON is not from Roundtable’s devtools. Choose a file that was saved by Export.')
  }
  if (found.version !== VERSION) {
    throw new DevtoolsError(`This export has version ${String(found.version)}, these tools read version ${VERSION}.`)
  }
  const parts = [
    found.events,
    found.rows,
    found.results,
    found.requests,
    found.layers,
    found.readers,
    found.outbox ?? [],
  ]
  if (!parts.every(Array.isArray)) throw new DevtoolsError('This export is incomplete. Save it again.')
  // The parts are shown only as text.
  return found as Recording
}
