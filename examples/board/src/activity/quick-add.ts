import type { Controller } from '@roundtable/core'
import { columnTasks } from '../api/columns.js'
import { topOf } from '../api/place.js'
import { getProjects } from '../api/project.js'
import { createTask } from '../api/tasks.js'
import { element } from '../app/element.js'
import { attempt } from '../app/notices.js'
import { $projectId } from '../app/selection.js'

/** A field that adds a task to do, at the top of the shown project or else of the first. */
export function makeQuickAdd(controller: Controller): HTMLElement {
  const field = element('input', {
    className: 'field',
    name: 'quick',
    placeholder: 'Quick task for “To do”',
    maxLength: 200,
    'aria-label': 'Quick task',
    autocomplete: 'off',
  })
  const form = element(
    'form',
    { className: 'quick-add' },
    field,
    element('button', { className: 'button', textContent: 'Add' }),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const title = field.value.trim().replaceAll(/\s+/g, ' ')
    const projectId = $projectId.get() ?? controller.getResponse(getProjects).data?.[0]?.id
    if (title === '' || projectId === undefined) return
    field.value = ''
    const column = controller.get(columnTasks, { status: 'todo', projectId: $projectId.get(), words: '' }) ?? []
    const position = topOf(column)
    void attempt(
      `Adding “${title}”`,
      () => controller.fetch(createTask, { projectId, title, status: 'todo', position }),
      title,
    )
  })
  return form
}
