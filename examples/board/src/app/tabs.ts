import { byId, element } from './element.js'
import { type IconName, icon } from './icons.js'
import { $taskId } from './selection.js'

const tabs: readonly { id: string; label: string; icon: IconName }[] = [
  { id: 'board', label: 'Board', icon: 'board' },
  { id: 'detail', label: 'Task', icon: 'task' },
  { id: 'insights', label: 'Insights', icon: 'chart' },
  { id: 'activity', label: 'Activity', icon: 'log' },
]

/** On a phone one panel is shown at a time: a bar at the bottom chooses it, and so does opening a task. */
export function startTabs(): void {
  const desk = byId('desk')
  const buttons = tabs.map(({ id, label, icon: name }) => {
    const button = element('button', { type: 'button', className: 'tab', onclick: () => show(id) }, icon(name), label)
    button.dataset.tab = id
    return button
  })
  byId('tabs').replaceChildren(...buttons)
  show($taskId.get() === undefined ? 'board' : 'detail')
  $taskId.listen((id) => {
    if (id !== undefined) show('detail')
  })

  function show(id: string): void {
    desk.dataset.tab = id
    for (const button of buttons) button.setAttribute('aria-current', String(button.dataset.tab === id))
  }
}
