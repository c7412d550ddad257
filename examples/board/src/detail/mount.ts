import type { Controller } from '@roundtable/core'
import { createDataClient } from '@roundtable/vue'
import { createApp } from 'vue'
import DetailPanel from './detail-panel.vue'

/** Shows the chosen task in an element. */
export function mountDetail(element: HTMLElement, controller: Controller): void {
  createApp(DetailPanel).use(createDataClient({ controller })).mount(element)
}
