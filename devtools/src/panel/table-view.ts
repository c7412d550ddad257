import { plural } from '../story.js'
import { h } from './dom.js'
import { inline, json, summary } from './format.js'
import type { PanelHost, PanelView } from './view.js'
import { VirtualList } from './virtual-list.js'

/** Shows the rows of the table by kind, and the source of each field. */
export class TableView implements PanelView {
  readonly element: HTMLElement
  readonly #host: PanelHost
  readonly #kinds: HTMLSelectElement
  readonly #bar: HTMLElement
  readonly #list: VirtualList<string>
  readonly #detail: HTMLElement
  #shown: { readonly kind: string; readonly pk: string } | undefined = undefined
  #shownText = ''
  #isEditing = false
  /** The result of the last search, and the time until which it may be used. */
  #found:
    | { readonly kind: string; readonly text: string; readonly pks: readonly string[]; readonly until: number }
    | undefined

  constructor(host: PanelHost) {
    this.#host = host
    this.#kinds = h('select', { 'aria-label': 'Kind of rows', onchange: () => this.update() })
    this.#bar = h('div', { class: 'bar', hidden: true }, this.#kinds)
    this.#list = new VirtualList<string>({
      label: 'Rows',
      empty: 'No rows yet. They appear here by kind, with the request that wrote each field.',
      keyOf: (pk) => pk,
      fill: (row, pk) => this.#fill(row, pk),
      onSelect: (pk) => this.#show(this.#kinds.value, pk),
    })
    this.#detail = h('section', { class: 'detail', 'aria-label': 'Row' }, h('p', { class: 'empty' }, 'Select a row.'))
    this.element = h(
      'div',
      { class: 'split' },
      h('div', { class: 'column' }, this.#bar, this.#list.element),
      this.#detail,
    )
  }

  update(): void {
    const { session, search } = this.#host
    const tables = session.tables()
    this.#fillKinds(
      tables.map(({ kind, count, isList }) => [
        kind,
        `${isList ? 'lists of ' : ''}${kind} (${count.toLocaleString('en')})`,
      ]),
    )
    const kind = this.#kinds.value
    const pks = session.primaryKeys(kind)
    this.#list.show(search === '' ? pks : this.#search(kind, pks, search), search)
    if (this.#shown !== undefined && !this.#isEditing) this.#show(this.#shown.kind, this.#shown.pk)
  }

  /** Selects a row. */
  show(kind: string, pk: string): void {
    this.update()
    this.#kinds.value = kind
    this.update()
    this.#list.select(pk)
  }

  /** Searches the rows. They change constantly and searching many takes long, so the next search is later for more rows. */
  #search(kind: string, pks: readonly string[], text: string): readonly string[] {
    const start = performance.now()
    const { kind: lastKind, text: lastText, until = 0, pks: lastPks = [] } = this.#found ?? {}
    if (kind === lastKind && text === lastText && start < until) return lastPks
    const found = pks.filter((pk) => this.#matches(kind, pk, text))
    const end = performance.now()
    this.#found = { kind, text, pks: found, until: end + 10 * (end - start) }
    return found
  }

  #matches(kind: string, pk: string, search: string): boolean {
    if (pk.toLowerCase().includes(search)) return true
    return inline(this.#host.session.row(kind, pk)?.value, 2_000).toLowerCase().includes(search)
  }

  #fillKinds(options: readonly (readonly [kind: string, label: string])[]): void {
    const text = options.map(([, label]) => label).join()
    if (this.#kinds.dataset.text === text) return
    const before = this.#kinds.value
    this.#kinds.dataset.text = text
    this.#bar.hidden = options.length === 0
    this.#kinds.replaceChildren(...options.map(([kind, label]) => h('option', { value: kind }, label)))
    if (options.some(([kind]) => kind === before)) this.#kinds.value = before
  }

  #fill(row: HTMLElement, pk: string): void {
    const info = this.#host.session.row(this.#kinds.value, pk)
    const levels = info?.levels.length ?? 0
    row.className = `row${info?.isTombstone ? ' is-gone' : ''}`
    row.replaceChildren(
      h('span', { class: 'pk' }, pk),
      h('span', { class: 'subject' }, info?.isTombstone ? 'deleted' : summary(info?.value, pk)),
      h('span', { class: 'note' }, levels > 1 ? plural(levels - 1, 'layer') : ''),
    )
  }

  #show(kind: string, pk: string): void {
    const { session } = this.#host
    const info = session.row(kind, pk)
    const text = json(info, 0)
    // Unchanged elements stay, so that nothing jumps during polls.
    if (this.#shown?.kind === kind && this.#shown.pk === pk && this.#shownText === text) return
    this.#shown = { kind, pk }
    this.#shownText = text
    const fields = Object.entries(typeof info?.value === 'object' && info.value !== null ? info.value : {})
    this.#detail.replaceChildren(
      h(
        'header',
        { class: 'title' },
        h('strong', {}, `${kind} ${pk}`),
        h('span', { class: 'note' }, this.#age(info?.expiresAt)),
      ),
      info === undefined ? h('p', {}, 'There is no such row.') : h('div', {}),
      info?.isTombstone
        ? h('p', { class: 'because' }, 'The row was deleted. Its tombstone keeps late responses from bringing it back.')
        : h('div', {}),
      h('table', {}, h('tbody', {}, ...fields.map(([field, value]) => this.#field(field, value, info)))),
      ...(info?.levels ?? []).map(({ by, value }) =>
        h(
          'div',
          { class: 'card' },
          h('span', { class: 'chip' }, by === 0 ? 'server' : `layer #${by}`),
          h('code', {}, inline(value, 400)),
        ),
      ),
      session.isLive && info !== undefined && !info.isTombstone ? this.#editor(kind, pk, info.value) : h('div', {}),
    )
  }

  #field(field: string, value: unknown, info: ReturnType<PanelHost['session']['row']>): HTMLElement {
    const by = info?.writtenBy[field] ?? 0
    const to = info?.links[field]
    const values = to === undefined ? [] : Array.isArray(value) ? value.slice(0, 50) : [value]
    const shown =
      to !== undefined && values.every((one) => typeof one === 'string' || typeof one === 'number')
        ? values.map((pk) =>
            h(
              'button',
              { type: 'button', class: 'link', onclick: () => this.#host.goToRow(to, `${pk}`) },
              `${to} ${pk}`,
            ),
          )
        : [h('code', {}, inline(value, 400))]
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, field),
      h('td', {}, ...shown),
      h(
        'td',
        { class: 'note' },
        by >= 1
          ? h(
              'button',
              {
                type: 'button',
                class: 'link',
                title: 'The request or action that wrote it last',
                onclick: () => this.#host.goToEvent(by),
              },
              `#${by}`,
            )
          : '',
      ),
    )
  }

  #age(expiresAt: number | undefined): string {
    if (expiresAt === undefined) return ''
    return expiresAt > Date.now() ? 'fresh' : 'out of date'
  }

  #editor(kind: string, pk: string, value: unknown): HTMLElement {
    const text = h('textarea', { 'aria-label': 'Fields as JSON', rows: 6, spellcheck: 'false' })
    text.value = json(value, 2)
    const save = (): void => {
      try {
        const fields: unknown = JSON.parse(text.value)
        if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
          throw new Error('Write an object of fields.')
        this.#isEditing = false
        this.#host.session.edit(kind, pk, fields as Readonly<Record<string, unknown>>)
        this.#host.say(`${kind} ${pk} was written.`)
      } catch (error) {
        this.#host.say(`Not written: ${(error as Error).message}`)
      }
    }
    return h(
      'details',
      {
        ontoggle: (event: Event) => {
          this.#isEditing = (event.target as HTMLDetailsElement).open
        },
      },
      h('summary', {}, 'Edit'),
      text,
      h('button', { type: 'button', onclick: save }, 'Write'),
    )
  }
}
