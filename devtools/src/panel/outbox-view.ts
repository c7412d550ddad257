import type { OutboxEntry } from '@roundtable/core/offline'
import { plural } from '../story.js'
import { h } from './dom.js'
import { inline, type Tone, timeOf } from './format.js'
import { listView } from './list-view.js'
import type { PanelHost, PanelView } from './view.js'

const TONES: Readonly<Record<OutboxEntry['status'], Tone>> = {
  storing: 'quiet',
  waiting: 'quiet',
  sending: 'edit',
  refused: 'error',
}

/** Shows the mutations that are stored until the server has responded, in the order of their calls. */
export function outboxView(host: PanelHost): PanelView {
  const { session } = host
  return listView<OutboxEntry>(host, {
    label: 'Outbox',
    empty: 'No mutation waits.',
    hint: 'Select a mutation to see what it waits for, send it again, or give it up.',
    items: () => session.outbox?.getSnapshot() ?? [],
    textOf: ({ name, status, rows }) => `${name} ${status} ${rows.join(' ')}`,
    keyOf: ({ id }) => id,
    fill(row, entry) {
      row.className = `row tone-${TONES[entry.status]}${entry.status === 'sending' ? ' is-flying' : ''}`
      row.replaceChildren(
        h('i', { class: 'dot' }),
        h('time', {}, timeOf(entry.at)),
        h('span', { class: 'subject' }, `${entry.name} ${entry.rows.join(', ')}`),
        h('span', { class: 'note' }, progressOf(entry)),
      )
    },
    detail: (entry) => [
      h('header', { class: `title tone-${TONES[entry.status]}` }, h('strong', {}, entry.name)),
      h('p', { class: 'because' }, reasonOf(entry)),
      session.isLive && toolsFor(host, entry),
      h('h3', {}, 'Arguments'),
      h('div', { class: 'card' }, ...entry.args.map((value) => h('code', {}, inline(value, 2_000)))),
      h('h3', {}, 'Rows that its optimistic change writes'),
      ...entry.rows.map((name) => rowLink(host, name)),
      h('p', { class: 'empty' }, `Idempotency-Key: ${entry.id}`),
    ],
  })
}

function progressOf({ status, attempts }: OutboxEntry): string {
  return attempts === 0 ? status : `${status} · ${plural(attempts, 'attempt')}`
}

function reasonOf(entry: OutboxEntry): string {
  const { error } = entry
  return error === undefined ? `${progressOf(entry)}.` : `${progressOf(entry)}: ${error.name}, ${error.message}`
}

function toolsFor({ session, say }: PanelHost, { id, status }: OutboxEntry): HTMLElement {
  const tool = (label: string, done: string, act: () => void): HTMLElement =>
    h(
      'button',
      {
        type: 'button',
        onclick() {
          act()
          say(done)
        },
      },
      label,
    )
  return h(
    'div',
    { class: 'tools' },
    status === 'refused' && tool('Send again', 'It is sent again.', () => session.outbox?.retry(id)),
    tool('Discard', 'It was given up.', () => session.outbox?.discard(id)),
    tool('Resume', 'What waits since a 401 or a reset is sent.', () => session.outbox?.resume()),
  )
}

/** Creates a link from a row's name in the outbox: the kind, a space, and the primary key. A kind may contain spaces. */
function rowLink(host: PanelHost, name: string): HTMLElement {
  const kind = host.session.tables().find((table) => name.startsWith(`${table.kind} `))?.kind
  if (kind === undefined) return h('p', {}, name)
  return h(
    'button',
    { type: 'button', class: 'link', onclick: () => host.goToRow(kind, name.slice(kind.length + 1)) },
    name,
  )
}
