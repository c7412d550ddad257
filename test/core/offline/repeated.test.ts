import { memoryLog, type OfflineLog, outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { openApp, rest, Task, TaskResource, TaskServer } from './todo-server.js'

const { create, get, getList, partialUpdate, update } = TaskResource
const remove = TaskResource.delete

/** Never answers what is changed from now on, though it is applied. */
function silence(server: TaskServer): void {
  server.beforeAnswer = (line) => (line.startsWith('GET') ? undefined : new Promise(() => {}))
}

/**
 * Row 1 was read in a page that has sent a change of it, which was applied, but not answered; then somebody has changed
 * it, and it was read again.
 */
async function readAfterSending() {
  const world = begin()
  const { server, open, pass } = world
  const first = await open()
  await first.controller.fetch(get, { id: 1 })
  silence(server)
  first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
  await pass()
  server.change(1, { done: true })
  await first.controller.fetch(get, { id: 1 })
  await pass()
  server.beforeAnswer = () => {}
  return { ...world, first }
}

type App = Awaited<ReturnType<typeof openApp>>

const isChange = ({ line }: TaskServer['reached'][number]) => !line.startsWith('GET')

describe('a request that is sent again may be answered as it was at first', () => {
  test('after a crash: who shows a row that may have been read since asks for it', async () => {
    const { server, open, pass, first } = await readAfterSending()
    first.tab.crash()
    const next = await open()
    const shown = next.controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    expect(server.reached.filter(isChange)).toHaveLength(2)
    expect(shown.getSnapshot().data).toEqual(server.tasks.get(1))
    expect(server.applied).toHaveLength(1)
  })

  test('after a crash of another tab, of which this one has the row', async () => {
    const world = begin()
    const { server, open, pass } = world
    const [first, other] = [await open(), await open()]
    const shown = other.controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    silence(server)
    first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    server.change(1, { done: true })
    await other.controller.fetch(get, { id: 1 })
    server.beforeAnswer = () => {}
    first.tab.crash()
    await pass()
    expect(server.reached.filter(isChange)).toHaveLength(2)
    expect(shown.getSnapshot().data).toEqual(server.tasks.get(1))
  })

  test('also if the server was not ready in between', async () => {
    const { server, open, pass } = begin()
    const { controller, call } = await open()
    const shown = controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    const sent = (): number => server.reached.filter(isChange).length
    server.beforeAnswer = (line) => {
      if (!line.startsWith('GET') && sent() === 1) throw new TypeError('connection reset')
    }
    server.refuse = (line) => (!line.startsWith('GET') && sent() === 2 ? 503 : undefined)
    const end = call(controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass(0)
    server.change(1, { done: true })
    await controller.fetch(get, { id: 1 })
    while (end.value === undefined) await pass(1_000)
    await pass(0)
    expect(sent()).toBe(3)
    expect(shown.getSnapshot().data).toEqual(server.tasks.get(1))
  })

  test('not one that was never sent, nor one that the server has refused to begin with: its answer is new, and nobody asks', async () => {
    const { server, open, pass } = begin()
    const first = await open()
    await first.controller.fetch(get, { id: 1 })
    server.refuse = (line) => (line.startsWith('PATCH') ? 503 : undefined)
    first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    first.call(first.controller.fetch(update, { id: 1 }, { title: 'B', done: true }))
    await pass()
    first.tab.crash()
    server.refuse = () => undefined
    const next = await open()
    const shown = next.controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass(5_000)
    expect(shown.getSnapshot().data).toMatchObject({ title: 'B', done: true })
    expect(server.reached.filter((one) => !isChange(one))).toHaveLength(1)
  })
})

describe('a request that is sent again does not bring back a row that was deleted since it was first sent', () => {
  const removeAtOnce = remove.extend({ dataExpiryLength: 1_000 })

  test.each([
    { what: 'a creation', id: 3, change: (app: App) => app.controller.fetch(create, { title: 'new' }) },
    { what: 'an update', id: 1, change: (app: App) => app.controller.fetch(update, { id: 1 }, { title: 'new' }) },
  ])('$what: who shows the row, or its list, asks once', async ({ id, change }) => {
    const { server, open, pass } = begin()
    const first = await open()
    silence(server)
    first.call(change(first))
    await pass()
    await first.controller.fetch(getList)
    server.beforeAnswer = () => {}
    // Not of the outbox, where it would wait for the update.
    await first.controller.fetch(removeAtOnce, { id })
    await pass()
    first.tab.crash()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.beforeAnswer = (line) => (line.startsWith('GET') ? undefined : answered)
    const next = await open()
    const row = next.controller.view(Task, { id })
    const shown: unknown[] = []
    row.subscribe(() => shown.push(row.getSnapshot()?.title))
    next.list.subscribe(() => {})
    await pass()
    const before = server.reached.length
    answer()
    await pass()
    await pass()
    expect(server.reached.slice(before).filter((one) => !isChange(one))).toHaveLength(1)
    expect(shown).toEqual([])
    expect(next.titles()).toEqual([...server.tasks.values()].map(({ title }) => title))
    expect(next.waiting()).toEqual([])
  })

  test('but brings it back if the server has it then', async () => {
    const { server, open, pass } = begin()
    const first = await open()
    await first.controller.fetch(getList)
    server.beforeAnswer = (line) => (line.startsWith('PUT') ? Promise.reject(new TypeError('lost')) : undefined)
    first.call(first.controller.fetch(update, { id: 1 }, { title: 'new' }))
    await pass()
    await first.controller.fetch(removeAtOnce, { id: 1 })
    server.add('other')
    server.tasks.set(1, { id: 1, title: 'new', done: false })
    await pass()
    first.tab.crash()
    server.beforeAnswer = () => {}
    const next = await open()
    next.list.subscribe(() => {})
    await pass()
    await pass()
    expect(next.titles()?.toSorted()).toEqual(['b', 'new', 'other'])
  })
})

/** Row 3 was created and deleted, by a tab that is over. */
async function createdAndDeleted() {
  const world = begin({ hasLocks: false })
  const { device, open, pass } = world
  const first = await open()
  await first.controller.fetch(create, { title: 'c' })
  await pass()
  const [ending] = (await device.memory.read(0)).slice(-1)
  await first.controller.fetch(remove, { id: 3 })
  await pass()
  first.tab.crash()
  /** Another tab has sent the creation at the same time, had the same answer, and is slow to store it. */
  const storeAgain = () => device.memory.append({ text: ending?.text ?? '' }, false)
  return { ...world, storeAgain }
}

describe('a response that another tab has stored before is stored again by a tab that did not know of that', () => {
  test('and does not bring back a row that was deleted since, at the next start', async () => {
    const { open, storeAgain } = await createdAndDeleted()
    await storeAgain()
    expect((await open()).controller.get(Task, { id: 3 })).toBeUndefined()
  })

  test('and does not bring it back in a tab that was opened in between, nor in one that has deleted it', async () => {
    const { device, open, pass, storeAgain } = await createdAndDeleted()
    const { controller } = await open()
    await storeAgain()
    for (const { hear } of device.members) hear(['log'])
    await pass()
    expect(controller.get(Task, { id: 3 })).toBeUndefined()
  })
})

describe('what was refused in the end may have been done', () => {
  test.each([
    { what: 'it was sent as often as it may be, without an answer', maxAttempts: 1, status: undefined },
    { what: 'the server has refused it the second time', maxAttempts: 10, status: 412 },
    { what: 'the server has failed', maxAttempts: 2, status: 500 },
  ])('if $what: who shows its rows asks for them', async ({ maxAttempts, status }) => {
    const { server, device, clock, pass } = begin()
    const open = async () => {
      const tab = device.open()
      const transport = tab.transport(server.transport)
      const offlineOptions = { outbox: outbox({ TaskResource }, { maxAttempts }) }
      return { tab, ...(await openApp(tab.log, server, { env: clock, transport, offlineOptions })) }
    }
    const first = await open()
    await first.controller.fetch(get, { id: 1 })
    silence(server)
    first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    first.tab.crash()
    server.beforeAnswer = () => {}
    server.refuse = (line) => (line.startsWith('GET') ? undefined : status)
    const next = await open()
    const shown = next.controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    expect(next.waiting()).toEqual(['partialUpdate refused'])
    expect(shown.getSnapshot().data).toEqual(server.tasks.get(1))
  })

  test('not if the server has answered that it did not: nobody asks', async () => {
    const { server, open, pass } = begin()
    const { controller, call, waiting } = await open()
    const shown = controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    server.refuse = (line) => (line.startsWith('GET') ? undefined : 422)
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    expect(waiting()).toEqual(['partialUpdate refused'])
    expect(server.reached.filter((one) => !isChange(one))).toHaveLength(1)
  })
})

describe('a deletion that is sent again and finds nothing', () => {
  /** A server that does not know the keys of requests. */
  const forget = (server: TaskServer): void => {
    server.beforeAnswer = () => {}
    server.refuse = (line) => (line.startsWith('DELETE') ? 404 : undefined)
  }

  test('has succeeded, in every tab and at the next start', async () => {
    const { server, open, pass } = begin()
    const [first, other] = [await open(), await open()]
    await first.controller.fetch(getList)
    await pass()
    silence(server)
    first.call(first.controller.fetch(remove, { id: 1 }))
    await pass()
    first.tab.crash()
    forget(server)
    await pass(5_000)
    const next = await open()
    for (const { controller, waiting } of [other, next]) {
      expect(waiting()).toEqual([])
      expect(
        controller
          .watch(getList)
          .getSnapshot()
          .data?.map(({ id }) => id),
      ).toEqual([2])
    }
    expect(server.reached.filter(isChange)).toHaveLength(2)
  })

  /** A log that loses the notes of attempts, as if the page had ended before they were written. */
  const withoutNotes = (log: OfflineLog): OfflineLog => ({
    ...log,
    append: (entry, isDurable) => (entry.text.includes('"try"') ? new Promise(() => {}) : log.append(entry, isDurable)),
  })

  /** A tab has read the list, and sends a deletion, which is done; it ends before anything says that it has sent it. */
  async function deletedWithoutNote() {
    const world = begin()
    const { server, device, clock, pass } = world
    const tab = device.open()
    const options = { env: clock, transport: tab.transport(server.transport) }
    const { controller, call } = await openApp(withoutNotes(tab.log), server, options)
    await controller.fetch(getList)
    await pass()
    silence(server)
    const removes = async (): Promise<void> => {
      call(controller.fetch(remove, { id: 1 }))
      await pass()
      expect(server.tasks.has(1)).toBe(false)
      tab.crash()
    }
    return { ...world, removes }
  }

  test('has succeeded if its page ended before the log noted that it was sent', async () => {
    const { server, open, removes } = await deletedWithoutNote()
    await removes()
    forget(server)
    const { waiting, titles } = await open()
    expect(waiting()).toEqual([])
    expect(titles()).toEqual(['b'])
    expect(server.reached.filter(isChange)).toHaveLength(2)
  })

  test('has succeeded also in a tab that knew of it from the other one, which ended before it noted that', async () => {
    const { server, open, pass, removes } = await deletedWithoutNote()
    const other = await open()
    await removes()
    forget(server)
    await pass()
    expect(other.waiting()).toEqual([])
    expect(other.titles()).toEqual(['b'])
  })

  test('may have been done if it is refused: who shows its row asks for it', async () => {
    const { server, open, pass, removes } = await deletedWithoutNote()
    await removes()
    server.beforeAnswer = () => {}
    server.refuse = (line) => (line.startsWith('DELETE') ? 403 : undefined)
    const { controller, waiting } = await open()
    const shown = controller.watch(get, { id: 1 })
    shown.subscribe(() => {})
    await pass()
    expect(waiting()).toEqual(['delete refused'])
    expect(shown.getSnapshot().error).toMatchObject({ status: 404 })
  })

  /** Returns the key of the row, once its deletion has to wait. */
  type Waits = (app: App) => number | string

  test.each<{ readonly what: string; readonly waits: Waits }>([
    {
      what: 'the network was away',
      waits({ clock }) {
        clock.announce({ online: false })
        return 1
      },
    },
    {
      what: 'another change of the row was on its way',
      waits({ controller, call }) {
        call(controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
        return 1
      },
    },
    {
      what: 'the creation of the row was on its way',
      waits({ controller, call, store }) {
        call(controller.fetch(create, { title: 'A' }))
        return `optimistic:${store.outbox.getSnapshot()[0]?.id}`
      },
    },
  ])('is refused if its page ended while $what', async ({ waits }) => {
    const { server, clock, open, pass } = begin()
    const app = await open()
    const { tab, controller, call } = app
    await controller.fetch(getList)
    silence(server)
    const id = waits(app)
    await pass()
    call(controller.fetch(remove, { id }))
    await pass()
    tab.crash()
    forget(server)
    clock.announce({ online: true })
    const { store } = await open()
    expect(store.outbox.getSnapshot()).toMatchObject([{ name: 'TaskResource.delete', error: { status: 404 } }])
  })

  test('waits for the note of its first attempt if it could not be sent at once', async () => {
    const server = new TaskServer()
    server.add('a')
    const { controller, clock, call } = await openApp(withoutNotes(memoryLog()), server)
    await controller.fetch(getList)
    clock.announce({ online: false })
    call(controller.fetch(remove, { id: 1 }))
    await rest()
    clock.announce({ online: true })
    await rest()
    expect(server.applied).toEqual([])
  })

  test('is refused if another tab has made it while it was the turn of this one', async () => {
    const { server, open, pass } = begin()
    const [sending, other] = [await open(), await open()]
    await sending.controller.fetch(getList)
    silence(server)
    sending.call(sending.controller.fetch(partialUpdate, { id: 2 }, { title: 'A' }))
    await pass()
    forget(server)
    other.call(other.controller.fetch(remove, { id: 1 }))
    await pass()
    expect(server.reached.filter(isChange)).toHaveLength(2)
    expect(sending.waiting()).toEqual(['partialUpdate sending', 'delete refused'])
  })

  test('is refused if it was never sent before', async () => {
    const { server, open, pass } = begin()
    const { controller, store, call } = await open()
    await controller.fetch(getList)
    forget(server)
    call(controller.fetch(remove, { id: 1 }))
    await pass()
    expect(store.outbox.getSnapshot()).toMatchObject([{ status: 'refused', error: { status: 404 } }])
  })
})
