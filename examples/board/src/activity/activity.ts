import type { Controller } from '@roundtable/core'
import { element } from '../app/element.js'
import { makeLiveLine } from '../live/live-line.js'
import { makeFocusLine } from './focus-line.js'
import { makeLog } from './log.js'
import { makeQuickAdd } from './quick-add.js'
import { makeSwitches } from './switches-form.js'

/** Shows what happens, in an element: no framework, only the controller and the document. */
export function mountActivity(root: HTMLElement, controller: Controller): void {
  root.replaceChildren(
    element(
      'header',
      { className: 'panel-head' },
      element('h2', { textContent: 'Activity' }),
      element('span', { className: 'maker push', 'data-maker': 'script', textContent: 'Plain script' }),
    ),
    makeSwitches(),
    makeLiveLine(controller),
    makeFocusLine(controller),
    makeLog(controller),
    makeQuickAdd(controller),
  )
}
