import { h } from './dom.js'
import type { PanelHost, PanelView } from './view.js'
import { type ListOptions, VirtualList } from './virtual-list.js'

/** What a view with a list shows. */
export interface ListViewOptions<Item> extends Omit<ListOptions<Item>, 'onSelect'> {
  /** What is listed now. */
  items(): readonly Item[]
  /** What the search looks at. */
  textOf(item: Item): string
  /** What is beside the list before something is selected. */
  readonly hint: string
  /** What is beside it for the selected item. */
  detail(item: Item): readonly (Node | false)[]
}

/** A list, and beside it what is selected. */
export function listView<Item>(host: PanelHost, options: ListViewOptions<Item>): PanelView {
  const detail = h(
    'section',
    { class: 'detail', 'aria-label': 'Details', tabindex: -1 },
    h('p', { class: 'empty' }, options.hint),
  )
  const show = (item: Item): void => detail.replaceChildren(...options.detail(item).filter((part) => part !== false))
  const list = new VirtualList<Item>({ ...options, onSelect: show })
  return {
    element: h('div', { class: 'split' }, list.element, detail),
    update() {
      const found = options.items().filter((item) => options.textOf(item).toLowerCase().includes(host.search))
      list.show(found, host.search)
      const { selected } = list
      // Who is in there by keyboard stays where they are.
      if (selected !== undefined && !detail.matches(':focus-within')) show(selected)
    },
  }
}
