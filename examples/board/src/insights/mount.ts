import type { Controller } from '@roundtable/core'
import { mount } from 'svelte'
import Insights from './insights.svelte'

/** Shows what the tasks add up to, in an element. */
export function mountInsights(target: HTMLElement, controller: Controller): void {
  mount(Insights, { target, props: { controller } })
}
