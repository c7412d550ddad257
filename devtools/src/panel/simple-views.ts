import type { InspectedLayer, InspectedReader, InspectedRequest, InspectedResult } from '@roundtable/core/inspect'
import type { LogEvent } from '../story.js'
import { plural } from '../story.js'
import { h } from './dom.js'
import { causeWord, duration, inline, readerName, shortKey, subjectOf, timeOf } from './format.js'
import { listView } from './list-view.js'
import type { PanelHost, PanelView } from './view.js'

/** The number of recent commits that are listed with a reader. */
const COMMITS = 20

type Row = { readonly flight: InspectedRequest } | { readonly result: InspectedResult }

/** Shows requests in flight, then the data stored under each key. */
export function requestsView(host: PanelHost): PanelView {
  return listView<Row>(host, {
    label: 'Requests and results',
    empty: 'Nothing was requested yet.',
    hint: 'Select a key to fetch or invalidate it.',
    items: () => [
      ...host.session.requests().map((flight) => ({ flight })),
      ...host.session.results().map((result) => ({ result })),
    ],
    textOf: keyOf,
    keyOf: (row) => ('flight' in row ? `#${row.flight.id}` : row.result.key),
    fill: fillRequest,
    detail: (row) => [
      h('header', { class: 'title' }, h('strong', {}, shortKey(keyOf(row)))),
      h(
        'p',
        { class: 'because' },
        'flight' in row ? `In flight: ${causeWord(row.flight.cause)}.` : stateOf(row.result),
      ),
      keyTools(host, keyOf(row), 'flight' in row ? row.flight.id : row.result.broughtBy),
    ],
  })
}

function keyOf(row: Row): string {
  return ('flight' in row ? row.flight : row.result).key
}

/** Returns buttons for a key; `by` is the request to explain, if there is one. */
export function keyTools({ session, goToEvent, say }: PanelHost, key: string, by = 0): HTMLElement {
  const tool = (label: string, act: () => boolean): HTMLElement =>
    h(
      'button',
      { type: 'button', onclick: () => say(act() ? `${label}: done.` : 'Nothing reads this key now.') },
      label,
    )
  return h(
    'div',
    { class: 'tools' },
    session.isLive && tool('Refetch', () => session.refetch(key)),
    session.isLive && tool('Invalidate', () => session.invalidate(key)),
    by >= 1 && h('button', { type: 'button', onclick: () => goToEvent(by) }, `Why #${by}?`),
  )
}

function fillRequest(element: HTMLElement, row: Row): void {
  const isFlight = 'flight' in row
  const tone = isFlight ? (row.flight.sideEffect ? 'edit' : 'read') : row.result.error === undefined ? 'quiet' : 'error'
  element.className = `row tone-${tone}${isFlight ? ' is-flying' : ''}`
  element.replaceChildren(
    h('i', { class: 'dot' }),
    h('span', { class: 'subject', title: keyOf(row) }, shortKey(keyOf(row))),
    h('span', { class: 'note' }, isFlight ? causeWord(row.flight.cause) : stateOf(row.result)),
  )
}

function stateOf({ error, mark, expiresAt, isLoaded, listenerCount }: InspectedResult): string {
  const readers = plural(listenerCount, 'reader')
  if (error !== undefined) return `${error.message} · ${readers}`
  if (mark !== undefined) return `${causeWord(mark)} · ${readers}`
  if (!isLoaded) return `no data · ${readers}`
  const left = (expiresAt ?? 0) - Date.now()
  return `${left > 0 ? `fresh for ${duration(left)}` : 'out of date'} · ${readers}`
}

/** Shows the layers of pending mutations. */
export function layersView(host: PanelHost): PanelView {
  const { session } = host
  const drop = ({ id }: InspectedLayer): void =>
    host.say(session.dropLayer(id) ? `Layer #${id} is gone; its request goes on.` : 'It has settled already.')
  return listView<InspectedLayer>(host, {
    label: 'Optimistic layers',
    empty: 'No optimistic change is pending.',
    hint: 'Layers are shown while their requests are in flight. Simulate a slow network to look at one.',
    items: () => session.layers(),
    textOf: ({ key }) => key,
    keyOf: ({ id }) => `${id}`,
    fill(row, layer) {
      row.className = 'row tone-edit is-flying'
      row.replaceChildren(
        h('i', { class: 'dot' }),
        h('span', { class: 'number' }, `#${layer.id}`),
        h('span', { class: 'subject' }, shortKey(layer.key)),
        h('span', { class: 'note' }, plural(layer.written.length, 'row')),
      )
    },
    detail: (layer) => [
      h('header', { class: 'title tone-edit' }, h('strong', {}, `#${layer.id} ${shortKey(layer.key)}`)),
      h(
        'div',
        { class: 'tools' },
        session.isLive && h('button', { type: 'button', onclick: () => drop(layer) }, 'Drop this layer'),
        h('button', { type: 'button', onclick: () => host.goToEvent(layer.id) }, `Why #${layer.id}?`),
      ),
      ...layer.written.map(({ kind, pk, value }) =>
        h(
          'div',
          { class: 'card' },
          h('button', { type: 'button', class: 'link', onclick: () => host.goToRow(kind, pk) }, `${kind} ${pk}`),
          h('code', {}, inline(value, 400)),
        ),
      ),
    ],
  })
}

/** Shows the mounted readers with the commits that notified them. Marks those that the last commit notified. */
export function readersView(host: PanelHost): PanelView {
  const { session } = host
  let notified: ReadonlySet<string> = new Set()
  const idOf = ({ type, key }: InspectedReader): string => `${type} ${key}`
  const commits = (): LogEvent[] => session.events().filter(({ type }) => type === 'commit')
  return listView<InspectedReader>(host, {
    label: 'Readers',
    empty: 'Nothing is mounted.',
    hint: 'Select a reader to see what made it render.',
    items() {
      const last = commits().at(-1)
      notified = new Set(last === undefined ? [] : session.readersOf(last).map(idOf))
      return session.readers()
    },
    textOf: (reader) => `${readerName(reader)} ${reader.key}`,
    keyOf: idOf,
    fill(row, reader) {
      const isNew = notified.has(idOf(reader))
      row.className = `row${isNew ? ' tone-commit' : ''}`
      row.replaceChildren(
        h('i', { class: 'dot' }),
        h('span', { class: 'chip' }, reader.type),
        h('span', { class: 'subject', title: reader.key }, readerName(reader)),
        h('span', { class: 'note' }, `${isNew ? 'by the last commit · ' : ''}×${reader.listenerCount}`),
      )
    },
    detail(reader) {
      const own = commits().filter((commit) => session.readersOf(commit).some((one) => idOf(one) === idOf(reader)))
      return [
        h('header', { class: 'title' }, h('strong', {}, readerName(reader))),
        h('p', { class: 'because' }, shortKey(reader.key)),
        reader.type === 'watch' && keyTools(host, reader.key),
        h('h3', {}, `Notified by ${plural(own.length, 'commit')}`),
        ...own
          .slice(-COMMITS)
          .reverse()
          .map((commit) =>
            h(
              'button',
              { type: 'button', class: 'plain tone-commit', onclick: () => host.goToCommit(commit) },
              h('time', {}, timeOf(commit.at)),
              h('span', { class: 'subject' }, subjectOf(commit)),
            ),
          ),
      ]
    },
  })
}
