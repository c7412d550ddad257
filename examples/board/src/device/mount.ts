import type { Controller } from '@roundtable/core'
import { mount } from 'svelte'
import { byId, element } from '../app/element.js'
import DeviceBar from './device-bar.svelte'
import { store } from './store.js'

/** Shows what this device keeps and what waits, in an element. A page that keeps nothing gets a button that changes that. */
export function mountDevice(target: HTMLElement, controller: Controller): void {
  mount(DeviceBar, { target, props: { controller } })
  if (store !== undefined) return
  const button = element('button', {
    className: 'button is-quiet',
    type: 'button',
    id: 'work-offline',
    textContent: 'Work offline',
    title: 'Keep the tasks and your changes on this device, so that the page works without a network',
    onclick: keep,
  })
  byId('theme').before(button)
}

/** The same page once more, which now keeps what it reads. */
function keep(): void {
  const url = new URL(location.href)
  url.searchParams.set('log', 'device')
  location.assign(url)
}
