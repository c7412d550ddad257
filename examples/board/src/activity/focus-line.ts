import type { Controller } from '@roundtable/core'
import { STATUS_NAMES, Task } from '../api/task.js'
import { element } from '../app/element.js'
import { $taskId } from '../app/selection.js'

/** A line about the selected task, which watches the row in the table without a request. */
export function makeFocusLine(controller: Controller): HTMLElement {
  const dot = element('span', { className: 'dot' })
  const text = element('span', { className: 'truncate' })
  const line = element('p', { className: 'focus-line' }, dot, text)
  let stop = (): void => {}
  $taskId.subscribe((id) => {
    stop()
    const row = controller.view(Task, { id: id ?? 0 })
    const show = (): void => {
      const task = row.getSnapshot()
      line.dataset.status = task?.status ?? ''
      if (task) text.replaceChildren(`${STATUS_NAMES[task.status]} · `, element('b', { textContent: task.title }))
      else text.replaceChildren(id === undefined ? 'No task chosen' : `Task ${id} is not in the table`)
    }
    stop = row.subscribe(show)
    show()
  })
  return line
}
