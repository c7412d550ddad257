import { mount } from 'svelte'
import Closable from './closable.svelte'
import type { Show } from './main.js'

export const show: Show = (target) => {
  mount(Closable, { target })
  mount(Closable, { target })
}
