import type { Cause } from '@roundtable/core'
import type { InspectedCaller, InspectedReader } from '@roundtable/core/inspect'
import type { LogEvent } from '../story.js'

/** The meaning of a colour. */
export type Tone = 'read' | 'edit' | 'commit' | 'action' | 'error' | 'quiet'

export function toneOf(event: LogEvent): Tone {
  if (event.type === 'error' || (event.type === 'settle' && event.error !== undefined) || event.type === 'retry')
    return 'error'
  if (event.type === 'fetch') return event.edits ? 'edit' : 'read'
  if (event.type === 'commit') return 'commit'
  return event.type === 'settle' ? 'quiet' : 'action'
}

/** Returns the type of an event in one word. */
export function verbOf(event: LogEvent): string {
  if (event.type === 'fetch') return 'request'
  if (event.type === 'settle') return event.error === undefined ? 'response' : 'failed'
  return event.type === 'action' ? event.action : event.type
}

/** Returns the subject of an event: its key, its rows or its error. */
export function subjectOf(event: LogEvent): string {
  switch (event.type) {
    case 'fetch':
    case 'settle':
    case 'retry':
      return shortKey(event.key)
    case 'action':
      return event.key === undefined ? '' : shortKey(event.key)
    case 'commit':
      return event.keys.length > 0 ? event.keys.map(shortKey).join(', ') : rowsOf(event.facts)
    case 'error':
      return event.error
    case 'reset':
      return 'the whole store'
  }
}

function rowsOf({
  rowCount,
  rows,
}: {
  readonly rowCount: number
  rows(): readonly { kind: string; pk: string }[]
}): string {
  const [first] = rows()
  if (first === undefined) return 'no row'
  return rowCount === 1 ? `${first.kind} ${first.pk}` : `${first.kind} ${first.pk} and ${rowCount - 1} more`
}

/** Returns a key without the page's own origin. */
export function shortKey(key: string): string {
  return key.replace(`${location.origin}/`, '/')
}

/** Returns the components of a reader, if they are known, and its key. */
export function readerName({ names, key }: Pick<InspectedReader, 'names' | 'key'>): string {
  const read = shortKey(key)
  return names?.length ? `${names.join(', ')} · ${read}` : read
}

/** Returns the component among the callers of an event, or else the function, or its file; empty without callers. */
export function callerName(callers: readonly InspectedCaller[] = []): string {
  const components = callers.map(
    ({ name, file }) => /^(.+)\.(?:vue|svelte)$/.exec(file)?.[1] ?? /^[A-Z].*/.exec(name)?.[0],
  )
  const [{ name, file } = { name: '', file: '' }] = callers
  return components.find((component) => component !== undefined) ?? (name || file)
}

export function causeWord(cause: Cause): string {
  const by = 'by' in cause && cause.by !== undefined ? ` #${cause.by}` : ''
  return cause.type === 'poll' ? `poll ${duration(cause.every)}` : `${cause.type}${by}`
}

/** '14:05:09.120', in the user's time zone. */
export function timeOf(at: number): string {
  const date = new Date(at)
  const two = (part: number): string => `${part}`.padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${`${date.getMilliseconds()}`.padStart(3, '0')}`
}

/** '120 ms', '4.5 s', '3 min'. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`
  return ms === Infinity ? 'never' : `${Math.round(ms / 60_000)} min`
}

/** Returns a value in one line of limited length. */
export function inline(value: unknown, most = 120): string {
  const text = value === undefined ? '—' : json(value, 0)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Returns the fields of a row in one line, without its primary key. */
export function summary(value: unknown, pk: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return inline(value)
  const fields = Object.entries(value).filter(([, one]) => String(one) !== pk)
  return fields
    .slice(0, 12)
    .map(([name, one]) => `${name}: ${inline(one, 40)}`)
    .join(', ')
}

/** Returns a value as text. Rows may contain values that JSON lacks. */
export function json(value: unknown, indent: number): string {
  try {
    const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part), indent)
    return text ?? `${String(value)}`
  } catch {
    return Object.prototype.toString.call(value)
  }
}
