import type { InspectedLayer, InspectedReader, InspectedRequest, InspectedResult } from '@roundtable/core/inspect'
import { plural } from '../story.js'
import { h } from './dom.js'
import { causeWord, duration, inline, shortKey } from './format.js'
import type { PanelHost, PanelView } from './view.js'
import { VirtualList } from './virtual-list.js'

type Row = { readonly flight: InspectedRequest } | { readonly result: InspectedResult }

/** Requests in flight, then what is stored under each key. */
export class RequestsView implements PanelView {
  readonly element: HTMLElement
  readonly #host: PanelHost
  readonly #list: VirtualList<Row>
  readonly #detail: HTMLElement

  constructor(host: PanelHost) {
    this.#host = host
    this.#list = new VirtualList<Row>({
      label: 'Requests and results',
      empty: 'Nothing was requested yet.',
      keyOf: (row) => ('flight' in row ? `#${row.flight.id}` : row.result.key),
      fill: (element, row) => fillRequest(element, row),
      onSelect: (row) => this.#show(row),
    })
    this.#detail = h(
      'section',
      { class: 'detail', 'aria-label': 'Request' },
      h('p', { class: 'empty' }, 'Select a key to fetch or invalidate it.'),
    )
    this.element = h('div', { class: 'split' }, this.#list.element, this.#detail)
  }

  update(): void {
    const { session, search } = this.#host
    const rows: Row[] = [
      ...session.requests().map((flight) => ({ flight })),
      ...session.results().map((result) => ({ result })),
    ]
    this.#list.items = rows.filter((row) =>
      ('flight' in row ? row.flight : row.result).key.toLowerCase().includes(search),
    )
  }

  #show(row: Row): void {
    const { key } = 'flight' in row ? row.flight : row.result
    const { session } = this.#host
    const tool = (label: string, act: () => boolean): HTMLElement =>
      h(
        'button',
        { type: 'button', onclick: () => this.#host.say(act() ? `${label}: done.` : 'Nothing reads this key now.') },
        label,
      )
    const id = 'flight' in row ? row.flight.id : row.result.broughtBy
    this.#detail.replaceChildren(
      h('header', { class: 'title' }, h('strong', {}, shortKey(key))),
      h(
        'p',
        { class: 'because' },
        'flight' in row ? `In flight: ${causeWord(row.flight.cause)}.` : stateOf(row.result),
      ),
      h(
        'div',
        { class: 'tools' },
        session.isLive && tool('Refetch', () => session.refetch(key)),
        session.isLive && tool('Invalidate', () => session.invalidate(key)),
        id >= 1 && h('button', { type: 'button', onclick: () => this.#host.goToEvent(id) }, `Why #${id}?`),
      ),
    )
  }
}

function fillRequest(element: HTMLElement, row: Row): void {
  const isFlight = 'flight' in row
  const tone = isFlight ? (row.flight.sideEffect ? 'edit' : 'read') : row.result.error === undefined ? 'quiet' : 'error'
  element.className = `row tone-${tone}${isFlight ? ' is-flying' : ''}`
  element.replaceChildren(
    h('i', { class: 'dot' }),
    h('span', { class: 'subject' }, shortKey(isFlight ? row.flight.key : row.result.key)),
    h('span', { class: 'note' }, isFlight ? causeWord(row.flight.cause) : stateOf(row.result)),
  )
}

function stateOf({ error, mark, expiresAt, isLoaded, listenerCount }: InspectedResult): string {
  const readers = plural(listenerCount, 'reader')
  if (error !== undefined) return `${inline(error.message, 60)} · ${readers}`
  if (mark !== undefined) return `${causeWord(mark)} · ${readers}`
  if (!isLoaded) return `no data · ${readers}`
  const left = (expiresAt ?? 0) - Date.now()
  return `${left > 0 ? `fresh for ${duration(left)}` : 'out of date'} · ${readers}`
}

/** What pending mutations show before the server has responded. */
export class LayersView implements PanelView {
  readonly element: HTMLElement
  readonly #host: PanelHost
  readonly #list: VirtualList<InspectedLayer>
  readonly #detail: HTMLElement

  constructor(host: PanelHost) {
    this.#host = host
    this.#list = new VirtualList<InspectedLayer>({
      label: 'Optimistic layers',
      empty: 'No optimistic change is pending.',
      keyOf: ({ id }) => `${id}`,
      fill: (row, layer) => {
        row.className = 'row tone-edit'
        row.replaceChildren(
          h('i', { class: 'dot' }),
          h('span', { class: 'number' }, `#${layer.id}`),
          h('span', { class: 'subject' }, shortKey(layer.key)),
          h('span', { class: 'note' }, plural(layer.written.length, 'row')),
        )
      },
      onSelect: (layer) => this.#show(layer),
    })
    this.#detail = h(
      'section',
      { class: 'detail', 'aria-label': 'Layer' },
      h(
        'p',
        { class: 'empty' },
        'Layers are shown while their requests are in flight. Simulate a slow network to look at one.',
      ),
    )
    this.element = h('div', { class: 'split' }, this.#list.element, this.#detail)
  }

  update(): void {
    this.#list.items = this.#host.session.layers().filter(({ key }) => key.toLowerCase().includes(this.#host.search))
  }

  #show(layer: InspectedLayer): void {
    const { session } = this.#host
    this.#detail.replaceChildren(
      h('header', { class: 'title tone-edit' }, h('strong', {}, `#${layer.id} ${shortKey(layer.key)}`)),
      h(
        'div',
        { class: 'tools' },
        session.isLive &&
          h(
            'button',
            {
              type: 'button',
              onclick: () =>
                this.#host.say(
                  session.dropLayer(layer.id)
                    ? `Layer #${layer.id} is gone; its request goes on.`
                    : 'It has settled already.',
                ),
            },
            'Drop this layer',
          ),
      ),
      ...layer.written.map(({ kind, pk, value }) =>
        h(
          'div',
          { class: 'card' },
          h('button', { type: 'button', class: 'link', onclick: () => this.#host.goToRow(kind, pk) }, `${kind} ${pk}`),
          h('code', {}, inline(value, 400)),
        ),
      ),
    )
  }
}

/** Who reads what; those that the last commit notified are marked. */
export class ReadersView implements PanelView {
  readonly element: HTMLElement
  readonly #host: PanelHost
  readonly #list: VirtualList<InspectedReader>
  #notified: ReadonlySet<object> = new Set()

  constructor(host: PanelHost) {
    this.#host = host
    this.#list = new VirtualList<InspectedReader>({
      label: 'Readers',
      empty: 'Nothing is mounted.',
      keyOf: ({ type, key }) => `${type} ${key}`,
      fill: (row, reader) => {
        const isNew = this.#notified.has(reader.observer)
        row.className = `row${isNew ? ' tone-commit' : ''}`
        row.replaceChildren(
          h('i', { class: 'dot' }),
          h('span', { class: 'chip' }, reader.type),
          h('span', { class: 'subject', title: reader.key }, shortKey(reader.key)),
          h('span', { class: 'note' }, `${isNew ? 'notified by the last commit · ' : ''}×${reader.listenerCount}`),
        )
      },
      onSelect: () => {},
    })
    this.element = h('div', { class: 'split is-whole' }, this.#list.element)
  }

  update(): void {
    const { session, search } = this.#host
    const last = session
      .events()
      .filter(({ type }) => type === 'commit')
      .at(-1)
    this.#notified = new Set(last === undefined ? [] : session.readersOf(last).map(({ observer }) => observer))
    this.#list.items = session.readers().filter(({ key }) => key.toLowerCase().includes(search))
  }
}
