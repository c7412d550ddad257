import { h } from './dom.js'
import { inline } from './format.js'

/** Shows a field and its value in one line, with `before` crossed out in front of the value. */
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

/** Returns the value of one field of an object. */
export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
