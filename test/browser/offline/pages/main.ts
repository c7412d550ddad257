import { Controller, Entity, RestEndpoint, resource } from '@roundtable/core'
import { indexedDbLog, offline } from '@roundtable/core/offline'

const urlPrefix = new URLSearchParams(location.search).get('api') ?? ''

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  done = false
}

const TaskResource = resource({ urlPrefix, path: '/tasks/:id', schema: Task, optimistic: true })
const sendFile = new RestEndpoint({ urlPrefix, path: '/tasks', method: 'POST', body: {} as FormData })

const reported: string[] = []
const store = offline({ log: indexedDbLog('tasks'), outbox: { TaskResource, sendFile } })
const controller = new Controller({ managers: [store], onError: ({ message }) => reported.push(message) })
await store.ready

/** What the page offers to tests. */
const page = {
  reported,
  titles: () =>
    controller
      .watch(TaskResource.getList)
      .getSnapshot()
      .data?.map(({ title }) => title),
  waiting: () => store.outbox.getSnapshot().map(({ name, status }) => `${name} ${status}`),
  load: async () => (await controller.fetch(TaskResource.getList)).length,
  create: (title: string) => void controller.fetch(TaskResource.create, { title }).catch(() => {}),
  edit: (id: number, title: string) =>
    void controller.fetch(TaskResource.partialUpdate, { id }, { title }).catch(() => {}),
  send: (name: string, text: string) => {
    const form = new FormData()
    form.append('photo', new File([text], name))
    controller.fetch(sendFile, form).catch(() => {})
  },
  flush: () => store.flush(),
}
export type OfflinePage = typeof page
Object.assign(window, { page })
