import { Controller, Entity, Invalidate, resource } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  project = ''
}

const Tasks = resource({ path: '/tasks/:id', schema: Task, searchParams: {} as { project?: string } })

export const getLiveTasks = Tasks.getList.extend(
  live({
    name: 'tasks',
    url: '/sse',
    wire: sse(),
    messages: { created: Tasks.getList.schema.push, changed: Task, deleted: new Invalidate(Task) },
  }),
)

export const controller: Controller = new Controller()

export const titlesOf = (tasks: readonly Task[] | undefined): string =>
  tasks?.map(({ title }) => title).join() ?? 'loading'
