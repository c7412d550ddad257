import type { InspectedCaller, InspectedReader } from '@roundtable/core/inspect'
import { becauseOf, type LogEvent, plural, type Step, withoutQuietParts } from '../story.js'
import { h } from './dom.js'
import { callerName, causeWord, duration, readerName, subjectOf, timeOf, toneOf, verbOf } from './format.js'
import { keyTools } from './simple-views.js'
import { sourcePosition } from './source-position.js'
import { changeLine, fieldOf } from './value-view.js'
import type { PanelHost, PanelView } from './view.js'
import { VirtualList } from './virtual-list.js'

/** The number of rows of a commit that are shown one by one. */
const MOST_ROWS = 12
/** The number of readers of a step that are named. */
const MOST_READERS = 8

/** Shows the events in order, and the causes and effects of the selected one. */
export class TimelineView implements PanelView {
  readonly element: HTMLElement
  readonly #host: PanelHost
  readonly #list: VirtualList<LogEvent>
  readonly #detail: HTMLElement
  /** The events that belong to the selected one. */
  #chain: ReadonlySet<number> = new Set()

  constructor(host: PanelHost) {
    this.#host = host
    this.#list = new VirtualList<LogEvent>(
      {
        label: 'Events',
        empty:
          'Nothing has happened yet. Use the page: each request, change and notification appears here, with its reason.',
        keyOf: lineKey,
        fill: (row, event) => this.#fill(row, event),
        onSelect: (event) => this.#explain(event),
      },
      true,
    )
    this.#detail = h('section', { class: 'detail', 'aria-label': 'Why', tabindex: -1 }, hint())
    this.element = h('div', { class: 'split' }, this.#list.element, this.#detail)
  }

  update(): void {
    const { session, search } = this.#host
    const events = withoutQuietParts(session.events())
    const textOf = (event: LogEvent): string =>
      `${verbOf(event)} ${subjectOf(event)} ${idOf(event)} ${noteOf(event)}`.toLowerCase()
    this.#list.show(search === '' ? events : events.filter((event) => textOf(event).includes(search)), search)
  }

  /** Shows the event of a request or an action. */
  show(id: number): void {
    const event = this.#host.session
      .events()
      .find((one) => (one.type === 'fetch' || one.type === 'action') && one.id === id)
    if (event === undefined) this.#host.say(`#${id} is older than the log.`)
    else this.select(event)
  }

  select(event: LogEvent): void {
    this.#list.select(event)
  }

  #fill(row: HTMLElement, event: LogEvent): void {
    row.className = `row tone-${toneOf(event)}${this.#chain.has(event.n) ? ' in-chain' : ''}`
    row.replaceChildren(
      h('time', {}, timeOf(event.at)),
      h('i', { class: 'dot' }),
      h('span', { class: 'verb' }, verbOf(event)),
      h('span', { class: 'number' }, idOf(event)),
      h('span', { class: 'subject', title: subjectOf(event) }, subjectOf(event)),
      h('span', { class: 'note' }, noteOf(event)),
    )
  }

  #explain(event: LogEvent): void {
    const steps = this.#host.session.explain(event)
    this.#chain = new Set(steps.map((step) => step.event.n))
    this.#list.draw()
    const start = steps[0]?.event.at ?? event.at
    this.#detail.replaceChildren(
      h(
        'header',
        { class: `title tone-${toneOf(event)}` },
        h('i', { class: 'dot' }),
        h('strong', {}, `${verbOf(event)} ${idOf(event)}`),
        h('span', { class: 'subject' }, subjectOf(event)),
      ),
      h('p', { class: 'because' }, becauseOf(event)),
      ...('callers' in event && event.callers.length > 0 ? [calledFrom(event.callers)] : []),
      ...(event.type === 'fetch' && !event.edits ? [keyTools(this.#host, event.key)] : []),
      ...(event.type === 'commit' ? this.#commitParts(event) : []),
      h('h3', {}, 'How it came about, and what followed'),
      h('ol', { class: 'chain' }, ...steps.map((step) => this.#step(step, event, start))),
    )
    this.#detail.scrollTop = 0
  }

  #step({ event, because, depth }: Step, selected: LogEvent, start: number): HTMLElement {
    const readers = event.type === 'commit' ? this.#host.session.readersOf(event) : []
    const step = h(
      'li',
      { class: `step tone-${toneOf(event)}${event.n === selected.n ? ' is-selected' : ''}` },
      h('i', { class: 'dot' }),
      h(
        'button',
        { type: 'button', class: 'plain', onclick: () => this.#list.select(event) },
        h('span', { class: 'verb' }, verbOf(event)),
        h('span', { class: 'number' }, idOf(event)),
        h('span', { class: 'subject' }, subjectOf(event)),
        h('span', { class: 'note' }, `+${duration(event.at - start)}`),
      ),
      h('p', {}, because),
      readers.length > 0 && told(readers),
    )
    step.style.setProperty('--depth', `${Math.min(depth, 6)}`)
    return step
  }

  #commitParts(event: Extract<LogEvent, { type: 'commit' }>): HTMLElement[] {
    const { rowCount, rows, readers } = event.facts
    const changes = rows().slice(0, MOST_ROWS)
    const told = this.#host.session.readersOf(event)
    const parts = changes.map(({ kind, pk, fields, before, after }) =>
      h(
        'div',
        { class: 'card' },
        h('button', { type: 'button', class: 'link', onclick: () => this.#host.goToRow(kind, pk) }, `${kind} ${pk}`),
        ...(before === undefined
          ? [h('span', { class: 'note' }, after === undefined ? 'touched' : 'came')]
          : after === undefined
            ? [h('span', { class: 'note' }, 'went')]
            : fields.map((field) => changeLine(field, fieldOf(before, field), fieldOf(after, field)))),
      ),
    )
    if (rowCount > changes.length)
      parts.push(h('p', { class: 'note' }, `and ${plural(rowCount - changes.length, 'row')} more`))
    return [
      h('h3', {}, `${plural(rowCount, 'row')} changed`),
      ...parts,
      h('h3', {}, `${plural(readers, 'reader')} notified`),
      h(
        'ul',
        { class: 'readers' },
        ...told.map((reader) =>
          h(
            'li',
            {},
            h('span', { class: 'chip' }, reader.type),
            h('span', { class: 'subject' }, readerName(reader)),
            h('span', { class: 'note' }, `×${reader.listenerCount}`),
          ),
        ),
      ),
    ]
  }
}

/** Shows the callers of an event, innermost first, with their lines in the source after these were found. */
function calledFrom(callers: readonly InspectedCaller[]): HTMLElement {
  const line = (caller: InspectedCaller): HTMLElement => {
    const place = h('code', { title: `${caller.url}:${caller.line}:${caller.column}` }, `${caller.file}:${caller.line}`)
    void sourcePosition(caller).then((source) => {
      if (source !== undefined) place.textContent = `${source.file}:${source.line}`
    })
    return h('li', {}, h('span', {}, caller.name), place)
  }
  return h('ol', { class: 'callers', 'aria-label': 'Called from' }, ...callers.map(line))
}

/** Shows the readers of a step. Readers with the same names and key share a line. */
function told(readers: readonly InspectedReader[]): HTMLElement {
  const counts = new Map<string, number>()
  for (const reader of readers) {
    const name = readerName(reader)
    counts.set(name, (counts.get(name) ?? 0) + reader.listenerCount)
  }
  const lines = [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name))
  const more = lines.length - MOST_READERS
  return h(
    'ul',
    { class: 'told' },
    ...lines.slice(0, MOST_READERS).map((line) => h('li', {}, line)),
    more > 0 && h('li', { class: 'note' }, `and ${more} more`),
  )
}

/** Returns the identity of a line. Polls of a key that change nothing share one, which stays selected at the next poll. */
function lineKey(event: LogEvent): string {
  return event.type === 'fetch' && event.quietPolls ? `${event.key} ${event.quietPolls.since}` : `${event.n}`
}

function hint(): HTMLElement {
  return h('p', { class: 'empty' }, 'Select an event to see why it happened.')
}

function idOf(event: LogEvent): string {
  return 'id' in event ? `#${event.id}` : ''
}

function noteOf(event: LogEvent): string {
  if (event.type === 'fetch') {
    const { count = 0 } = event.quietPolls ?? {}
    const caller = callerName(event.callers)
    return `${causeWord(event.cause)}${count > 1 ? ` ×${count.toLocaleString('en')}` : ''}${caller && ` · ${caller}`}`
  }
  if (event.type === 'action') return callerName(event.callers)
  if (event.type === 'commit') return event.facts.readers > 0 ? `${plural(event.facts.readers, 'reader')}` : ''
  return event.type === 'settle' && event.error !== undefined ? event.error : ''
}
