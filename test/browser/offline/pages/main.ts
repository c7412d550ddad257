import { Controller, Entity, poll, RestEndpoint, resource } from '@roundtable/core'
import { indexedDbLog, offline, outbox } from '@roundtable/core/offline'

const params = new URLSearchParams(location.search)
const urlPrefix = params.get('api') ?? ''

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  done = false
}

const TaskResource = resource({ urlPrefix, path: '/tasks/:id', schema: Task, optimistic: true })
const sendFile = new RestEndpoint({ urlPrefix, path: '/tasks', method: 'POST', body: {} as FormData })

const reported: string[] = []
/** How the calls of this page have ended. */
const ended: string[] = []
const note = (call: Promise<unknown>): void => {
  call.then(
    (value) => ended.push(JSON.stringify(value)),
    ({ name }: Error) => ended.push(name),
  )
}
const store = offline({
  log: indexedDbLog(`tasks ${params.get('user')}`),
  version: (window as { readonly version?: string }).version,
  outbox: outbox({ TaskResource, sendFile }),
})
const controller = new Controller({ managers: [store], onError: ({ message }) => reported.push(message) })
await store.ready

let polls = 0
controller.on('fetch', ({ cause }) => {
  if (cause.type === 'poll') polls += 1
})

/** What the page offers to tests. */
const page = {
  reported,
  titles: () =>
    controller
      .watch(TaskResource.getList)
      .getSnapshot()
      .data?.map(({ title }) => title),
  waiting: () => store.outbox.getSnapshot().map(({ name, status }) => `${name} ${status}`),
  /** The titles of what is being created, and is on the disk. */
  stored: () =>
    store.outbox
      .getSnapshot()
      .filter(({ status }) => status !== 'storing')
      .map(({ args }) => (args[0] as { readonly title: string }).title),
  load: async () => (await controller.fetch(TaskResource.getList)).length,
  ended,
  create: (title: string) => note(controller.fetch(TaskResource.create, { title })),
  edit: (id: number, title: string) => note(controller.fetch(TaskResource.partialUpdate, { id }, { title })),
  /** Edits the row that shows this title, also one that is being created. */
  editBy: (before: string, title: string) => {
    const id = controller
      .watch(TaskResource.getList)
      .getSnapshot()
      .data?.find((task) => task.title === before)?.id
    note(controller.fetch(TaskResource.partialUpdate, { id: id ?? 0 }, { title }))
  },
  remove: (id: number) => note(controller.fetch(TaskResource.delete, { id })),
  /** Shows the list: it is read again when it is out of date. */
  show: () => void controller.watch(TaskResource.getList).subscribe(() => {}),
  poll: (pollFrequency: number) =>
    void controller.observe(poll, TaskResource.getList.extend({ pollFrequency })).subscribe(() => {}),
  polls: () => polls,
  reset: () => controller.resetEntireStore(),
  resume: () => store.resume(),
  send: (name: string, text: string) => {
    const form = new FormData()
    form.append('photo', new File([text], name))
    controller.fetch(sendFile, form).catch(() => {})
  },
  flush: () => store.flush(),
  /**
   * Takes over a page that a server has rendered with these titles; returns what was shown, and what React has
   * complained about.
   */
  takeOver: async (titles: readonly string[]) => {
    const { takeOver } = await import('./take-over.js')
    return takeOver(
      controller,
      TaskResource.getList,
      titles.map((title, i) => ({ id: i + 1, title, done: false })),
    )
  },
}
export type OfflinePage = typeof page
export type TaskList = typeof TaskResource.getList
Object.assign(window, { page })
