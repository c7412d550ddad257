import { type Controller, NetworkError, TransportError } from '@roundtable/core'
import { $isOffline } from '../device/network.js'
import { timeOfDay } from './dates.js'
import { byId, element } from './element.js'
import { headlineOf } from './reason.js'
import { tryAgain } from './retries.js'

/**
 * Shows above the panels that reads are failing, and since when the data is out of date; the first response removes
 * the notice.
 */
export function watchConnection(controller: Controller): void {
  const banner = byId('connection')
  let lastAnswer: Date | undefined
  controller.on('settle', ({ endpoint, error }) => {
    if (endpoint.sideEffect === true) return
    if (error === undefined) {
      lastAnswer = new Date()
      banner.hidden = true
    } else if (lastAnswer !== undefined && isPassing(error)) {
      tell(error, lastAnswer)
    }
  })

  function tell(error: Error, since: Date): void {
    const text = `${$isOffline.get() ? 'Offline' : headlineOf(error)}. What you see is from ${timeOfDay(since)}.`
    const retry = element('button', {
      type: 'button',
      className: 'button',
      textContent: 'Try again',
      onclick: tryAgain,
    })
    banner.replaceChildren(element('span', { textContent: text }), retry)
    banner.hidden = false
  }
}

function isPassing(error: Error): boolean {
  return error instanceof TransportError || (error instanceof NetworkError && error.status >= 500)
}
