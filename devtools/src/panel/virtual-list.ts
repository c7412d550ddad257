import { h } from './dom.js'

/** The height of each row in px. */
const ROW = 28
/** The number of rows drawn beyond the edges, so that a quick scroll shows no gap. */
const MARGIN = 6

/** The options of a list. */
export interface ListOptions<Item> {
  readonly label: string
  /** The text for an empty list that is not searched. */
  readonly empty: string
  /** Returns the identity of an item, by which it stays selected. */
  keyOf(item: Item): string
  /** Fills a row, which may have shown another item before. */
  fill(row: HTMLElement, item: Item): void
  onSelect(item: Item): void
}

/** A list of any length in which only the visible rows exist, with the keyboard control of a listbox. */
export class VirtualList<Item> {
  readonly element: HTMLElement
  readonly #options: ListOptions<Item>
  readonly #space: HTMLElement
  readonly #empty: HTMLElement
  readonly #rows = new Map<number, HTMLElement>()
  readonly #spare: HTMLElement[] = []
  #items: readonly Item[] = []
  #selected: string | undefined = undefined
  /** The item under the pressed pointer. Clicks are not reliable, since the row may be redrawn or move meanwhile. */
  #pressed: Item | undefined = undefined
  /** True if the list follows its end while the user has not scrolled up. */
  #followsEnd: boolean
  readonly #mayFollow: boolean

  constructor(options: ListOptions<Item>, followsEnd = false) {
    this.#options = options
    this.#mayFollow = followsEnd
    this.#followsEnd = followsEnd
    this.#space = h('div', { class: 'space' })
    this.#empty = h('p', { class: 'empty' }, options.empty)
    this.element = h(
      'div',
      {
        class: 'list',
        role: 'listbox',
        tabindex: 0,
        'aria-label': options.label,
        onscroll: () => this.#scrolled(),
        onkeydown: (event: KeyboardEvent) => this.#typed(event),
        onpointerdown: (event: PointerEvent) => {
          this.#pressed = event.button === 0 ? this.#itemAt(event) : undefined
        },
        onpointercancel: () => {
          this.#pressed = undefined
        },
        onpointerup: () => this.#released(),
        onclick: (event: MouseEvent) => this.#clicked(event),
      },
      this.#space,
      this.#empty,
    )
    new ResizeObserver(() => this.draw()).observe(this.element)
  }

  get selected(): Item | undefined {
    return this.#items[this.#indexOf(this.#selected)]
  }

  /** Shows items: all of them, or those that a search has found. */
  show(items: readonly Item[], search: string): void {
    const moved = this.#mayFollow && !this.#followsEnd ? this.#rowsMoved(items) : 0
    this.#items = items
    this.#empty.hidden = items.length > 0
    this.#empty.textContent = search === '' ? this.#options.empty : `Nothing matches “${search}”.`
    this.#space.style.height = `${items.length * ROW}px`
    if (this.#followsEnd) this.element.scrollTop = items.length * ROW
    else if (moved !== 0) this.element.scrollTop += moved * ROW
    this.draw()
  }

  /** Returns by how many rows the top moves after older items were removed, so that visible rows keep their positions. */
  #rowsMoved(items: readonly Item[]): number {
    const top = Math.floor(this.element.scrollTop / ROW)
    const item = this.#items[top]
    if (item === undefined) return 0
    const now = this.#indexOf(this.#options.keyOf(item), items)
    return now < 0 ? 0 : now - top
  }

  #indexOf(key: string | undefined, items = this.#items): number {
    return key === undefined ? -1 : items.findIndex((item) => this.#options.keyOf(item) === key)
  }

  /** Selects an item like a click, and scrolls to it. */
  select(item: Item): void {
    this.#selected = this.#options.keyOf(item)
    const index = this.#indexOf(this.#selected)
    const top = index * ROW
    const { scrollTop, clientHeight } = this.element
    if (index >= 0 && top < scrollTop) this.element.scrollTop = top
    else if (top + ROW > scrollTop + clientHeight) this.element.scrollTop = top + ROW - clientHeight
    // A selected row must not move away. At the end of the list, the user wants to see new rows.
    this.#followsEnd = this.#mayFollow && index === this.#items.length - 1
    this.draw()
    this.#options.onSelect(item)
  }

  /** Draws the visible rows. */
  draw(): void {
    const { scrollTop, clientHeight } = this.element
    const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN)
    const end = Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN)
    for (const [index, row] of this.#rows) {
      if (index >= first && index < end) continue
      this.#rows.delete(index)
      row.hidden = true
      this.#spare.push(row)
    }
    for (let index = first; index < end; index++) this.#drawRow(index, this.#items[index] as Item)
    const active = this.#indexOf(this.#selected)
    if (active >= 0 && this.#rows.has(active)) this.element.setAttribute('aria-activedescendant', `row-${active}`)
    else this.element.removeAttribute('aria-activedescendant')
  }

  #drawRow(index: number, item: Item): void {
    const row = this.#rows.get(index) ?? this.#spare.pop() ?? this.#space.appendChild(h('div', { role: 'option' }))
    this.#rows.set(index, row)
    row.hidden = false
    row.id = `row-${index}`
    row.dataset.index = `${index}`
    row.style.transform = `translateY(${index * ROW}px)`
    row.setAttribute('aria-setsize', `${this.#items.length}`)
    row.setAttribute('aria-posinset', `${index + 1}`)
    row.setAttribute('aria-selected', `${this.#options.keyOf(item) === this.#selected}`)
    this.#options.fill(row, item)
  }

  #scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element
    if (this.#mayFollow) this.#followsEnd = scrollTop + clientHeight >= scrollHeight - ROW
    this.draw()
  }

  #itemAt(event: MouseEvent): Item | undefined {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    return this.#items[Number(row?.dataset.index ?? -1)]
  }

  #released(): void {
    const item = this.#pressed
    this.#pressed = undefined
    if (item !== undefined) this.select(item)
  }

  #clicked(event: MouseEvent): void {
    // Assistive technology clicks without a pointer.
    const item = event.detail === 0 ? this.#itemAt(event) : undefined
    if (item !== undefined) this.select(item)
  }

  #typed(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1)
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    }
    const step = steps[event.key]
    if (step === undefined || this.#items.length === 0) return
    event.preventDefault()
    const now = this.#indexOf(this.#selected)
    const start = now < 0 ? (step > 0 ? -1 : this.#items.length) : now
    const next = Math.min(this.#items.length - 1, Math.max(0, start + step))
    this.select(this.#items[next] as Item)
  }
}
