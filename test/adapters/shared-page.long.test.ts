import { afterEach, describe, expect, test } from 'vitest'
import { ending, openBoard, Todo } from '../core/engine/todo-board.js'
import { expectNoise } from './expected-noise.js'
import { type Screen, type View, view } from './harness.js'
import { plain } from './plain/harness.js'
import { react } from './react/harness.js'
import { svelte } from './svelte/harness.js'
import { vue } from './vue/harness.js'

const UPDATES = 1_000
const SEED = 20_260_301
const IDS = ['1', '2', '3', '4', '5']
const harnesses = [react, vue, svelte, plain]
const screens: Screen[] = []

afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.end()
})

describe('one controller, React, Vue, Svelte and a script on a page', () => {
  expectNoise(harnesses.flatMap(({ noise }) => noise))

  test(`C14: after each of ${UPDATES} random updates all show the same (seed ${SEED})`, async () => {
    const page = await openPage()
    const below = randomness(SEED)
    const history: string[] = []
    for (let at = 0; at < UPDATES; at++) {
      history.push(await page.update(below))
      const [first, ...others] = page.texts()
      const reported = `update ${at}: ${history.slice(-3).join('; ')}`
      for (const other of others) expect(other, reported).toEqual(first)
    }
    // The screens were not equal because they were empty, and nobody fetched in a loop.
    expect(page.texts()[0]?.[0]).not.toBe('loading')
    expect(page.requested()).toBeGreaterThan(UPDATES / 2)
    expect(page.requested()).toBeLessThan(UPDATES * 3)
  })

  test('data that all of them read is fetched once', async () => {
    const page = await openPage()
    expect(page.requested()).toBe(IDS.length + 1)
  })
})

/** All frameworks on one page, each with the same readers on the same controller. */
async function openPage() {
  const board = openBoard()
  const { controller, server, clock, getTodo, getTodos, patchNow, createNow, removeNow } = board
  const truth = new Map(IDS.map((id) => [id, { id, title: `t${id}`, userId: '1', votes: 0 }]))
  let made = 100
  server.on('getTodo', ({ id }: { id: string }) => {
    const todo = truth.get(id)
    if (todo === undefined) throw new Error(`no ${id}`)
    return todo
  })
  server.on('getTodos', () => [...truth.values()])
  const ofId = (id: string): readonly View[] => [
    view('suspense', getTodo, { id }),
    view('dle', getTodo, { id }),
    view('cache', getTodo, { id }),
    view('query', Todo, { id }),
  ]
  const lists = (['suspense', 'dle'] as const).map((hook) => view(hook, getTodos, { userId: '1' }))
  const live = view('live', getTodos.extend({ pollFrequency: 1_000 }), { userId: '1' })
  const views = [...lists, live, ...IDS.flatMap(ofId)]
  for (const harness of harnesses) screens.push(await harness.open(controller, views))
  const all = harnesses.map((_, index) => screens.at(index - harnesses.length) as Screen)

  /** React commits when `act` is over: it is the outermost. */
  const act = (work: () => unknown): Promise<void> =>
    all.reduceRight<() => Promise<void>>(
      (inner, screen) => () => screen.act(inner),
      async () => {
        await work()
      },
    )()
  let answered = 0
  const answerAll = async (): Promise<void> => {
    while (answered < server.requests.length) {
      const waiting = server.requests.slice(answered)
      answered = server.requests.length
      await act(() => Promise.all(waiting.map((request) => request.deliver())))
    }
  }
  /** A boundary shows what it caught until somebody presses its button. */
  const retryAll = async (): Promise<void> => {
    const script = all.at(-1) as Screen
    const buttons = document.querySelectorAll<HTMLElement>('[data-view] button')
    if (buttons.length === 0) return
    await act(async () => {
      for (const button of buttons) button.click()
      for (const index of views.keys()) await script.press(index)
    })
    await answerAll()
  }
  await answerAll()

  const updates: Record<string, (id: string, value: string) => unknown> = {
    'set a row': (id, title) => controller.set(Todo, { id }, { title }),
    'the server changes, then the row is fetched': (id, title) => {
      const todo = truth.get(id)
      if (todo !== undefined) truth.set(id, { ...todo, title })
      return ending(controller.fetch(getTodo, { id }))
    },
    'a response arrives without a request': (id, title) =>
      controller.setResponse(getTodo, { id }, { id, title, userId: '1' }),
    'it is invalidated': (id) => controller.invalidate(getTodo, { id }),
    'it failed': (id, text) => controller.setError(getTodo, { id }, new Error(text)),
    'the list is expired': () => controller.expireAll(getTodos),
    'it is changed, and the server agrees': (id, title) => {
      const todo = { votes: 0, ...truth.get(id), id, title, userId: '1' }
      truth.set(id, todo)
      server.on('patch', () => todo)
      return ending(controller.fetch(patchNow, { id }, { title }))
    },
    'it is changed, and the server refuses': (id, title) => {
      server.on('patch', () => {
        throw new Error('refused')
      })
      return ending(controller.fetch(patchNow, { id }, { title }))
    },
    'one is made': (_, title) => {
      const id = String(made++)
      truth.set(id, { id, title, userId: '1', votes: 0 })
      server.on('create', () => truth.get(id))
      return ending(controller.fetch(createNow, { userId: '1' }, { title }))
    },
    'one is deleted': () => {
      const [id = ''] = [...truth.keys()].filter((key) => !IDS.includes(key))
      if (!truth.delete(id)) return undefined
      server.on('remove', () => ({ id }))
      return ending(controller.fetch(removeNow, { id }))
    },
    'several at once': (id, title) =>
      controller.notifyOnce(() => {
        for (const other of IDS) controller.set(Todo, { id: other }, { title: other === id ? title : `${title}'` })
      }),
    'time passes': () => clock.advance(1_000),
    'a reset': () => controller.resetEntireStore(),
  }
  const names = Object.keys(updates)

  return {
    texts: () => all.map((screen) => screen.texts()),
    requested: () => server.requests.length,
    /** Does something, lets the server answer all requests, and records the step. */
    async update(below: (limit: number) => number): Promise<string> {
      const name = names[below(names.length)] ?? ''
      const id = IDS[below(IDS.length)] ?? ''
      const value = `v${below(1_000)}`
      await retryAll()
      await act(() => updates[name]?.(id, value))
      await answerAll()
      return `${name} (${id}, ${value})`
    },
  }
}

/** A small generator of whole numbers: the same ones for the same seed. */
function randomness(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
