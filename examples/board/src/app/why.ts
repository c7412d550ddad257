import type { Controller } from '@roundtable/core'
import { connect, openDevtools } from '@roundtable/devtools'
import { byId, element } from './element.js'

/** Puts a button into the head of the page that opens the devtools, which note from now on what happens, and why. */
export function offerWhy(controller: Controller): void {
  const session = connect(controller, { name: 'board', stacks: import.meta.env.DEV })
  const button = element('button', { className: 'button is-quiet', type: 'button', id: 'why', textContent: 'Why?' })
  button.title = 'Show why each request was sent and what it changed'
  let close: (() => void) | undefined
  button.addEventListener('click', async () => {
    if (document.querySelector('roundtable-devtools') !== null) close?.()
    else close = await openDevtools(session)
  })
  byId('theme').before(button)
}
