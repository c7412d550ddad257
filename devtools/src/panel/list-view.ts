import { h } from './dom.js'
import type { PanelHost, PanelView } from './view.js'
import { type ListOptions, VirtualList } from './virtual-list.js'

/** The options of `listView`. */
export interface ListViewOptions<Item> extends Omit<ListOptions<Item>, 'onSelect'> {
  /** Returns the current items. */
  items(): readonly Item[]
  /** Returns the text that is searched. */
  textOf(item: Item): string
  /** The text beside the list until an item is selected. */
  readonly hint: string
  /** Returns the detail of the selected item, which is shown beside the list. */
  detail(item: Item): readonly (Node | false)[]
}

/** Creates a list with the selected item's detail beside it. */
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
      // If the focus is in the detail, it must stay there.
      if (selected !== undefined && !detail.matches(':focus-within')) show(selected)
    },
  }
}
