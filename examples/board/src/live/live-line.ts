import type { Controller } from '@roundtable/core'
import { connection } from '@roundtable/core/live'
import { element } from '../app/element.js'
import { $isOffline } from '../device/network.js'
import { getLiveChanges } from './live-changes.js'
import { $isLive } from './live-mode.js'
import { tellConnection } from './tell-connection.js'

/** The switch of the live mode, and how the stream is. */
export function makeLiveLine(controller: Controller): HTMLElement {
  const toggle = element('button', {
    type: 'button',
    className: 'button',
    role: 'switch',
    title: 'Let the server tell what changes, in place of asking every 10 seconds',
    onclick: () => $isLive.set(!$isLive.get()),
  })
  toggle.append(element('span', { className: 'device-knob' }), 'Live')
  const dot = element('span', { className: 'dot' })
  const text = element('span', { className: 'live-text', role: 'status' })
  const line = element('div', { className: 'live-line' }, toggle, dot, text)
  const stream = controller.observe(connection, getLiveChanges)
  stream.subscribe(show)
  $isOffline.listen(show)
  $isLive.subscribe(show)
  return line

  function show(): void {
    const isLive = $isLive.get()
    const shown = stream.getSnapshot()
    toggle.setAttribute('aria-checked', String(isLive))
    line.dataset.connection = isLive ? shown?.status : 'off'
    const said =
      isLive && shown !== undefined ? tellConnection(shown, $isOffline.get()) : 'Asks every 10 s what has changed.'
    if (text.textContent !== said) text.textContent = said
  }
}
