import { h } from './dom.js'
import { inline } from './format.js'

/** A field and its value in one line; `before` is crossed out in front of it. */
export function changeLine(field: string, before: unknown, after: unknown): HTMLElement {
  return h(
    'div',
    { class: 'change' },
    h('span', { class: 'field' }, field),
    h('del', {}, inline(before)),
    h('span', { class: 'arrow', 'aria-label': 'becomes' }, '→'),
    h('ins', {}, inline(after)),
  )
}

/** The value of one field of an object. */
export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
