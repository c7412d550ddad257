import type { Controller } from '@roundtable/core'
import { inspect } from '@roundtable/core/inspect'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readerIn } from '../../../core/src/inspection/reader-names.js'
import { settle } from './clock.js'
import { openBoard, Todo, watch } from './todo-board.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('with stacks, a reader is named', () => {
  test('after each component and function that asks for it, and without them not', () => {
    const { controller, getTodo } = openBoard()
    const quiet = inspect(controller)
    const inspection = inspect(controller, { stacks: true })
    function TodoTitle(): void {
      watch(controller.watch(getTodo, { id: '1' }))
    }
    function useTodo(): void {
      watch(controller.view(Todo, { id: '1' }))
    }
    function showTodo(): void {
      useTodo()
    }
    TodoTitle()
    TodoTitle()
    showTodo()
    expect(inspection.readers().map(({ type, names }) => [type, names])).toEqual([
      ['watch', ['TodoTitle']],
      ['view', ['showTodo']],
    ])
    expect(quiet.readers().map(({ names }) => names)).toEqual([[], []])
    inspection.stop()
    watch(controller.watch(getTodo, { id: '2' }))
    expect(inspection.readers().at(-1)?.names).toEqual([])
  })

  test('what a reader looks at besides its data is no reader of its own, unless a component asks for it too', () => {
    const { controller, getTodo } = openBoard()
    const inspection = inspect(controller, { stacks: true })
    function TodoTitle(): void {
      const query = controller.watch(getTodo, { id: '1' })
      watch(query)
      // As `useDLE` does.
      watch(query.fetching)
    }
    function Spinner(): void {
      watch(controller.fetching(getTodo, { id: '1' }))
    }
    TodoTitle()
    const shown = () => inspection.readers().map(({ type, names }) => [type, names])
    expect(shown()).toEqual([['watch', ['TodoTitle']]])
    Spinner()
    expect(shown()).toEqual([
      ['watch', ['TodoTitle']],
      ['other', ['Spinner']],
    ])
  })

  test('not in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { controller, getTodo } = openBoard()
    const inspection = inspect(controller, { stacks: true })
    watch(controller.watch(getTodo, { id: '1' }))
    expect(inspection.readers()[0]?.names).toEqual([])
  })
})

describe('with stacks, a request and an action tell from where they were called', () => {
  /** The callers of the last request or action, as `name file`. */
  function openWithCallers() {
    const board = openBoard()
    const inspection = inspect(board.controller, { stacks: true })
    let last = 0
    board.controller.on('fetch', ({ id }) => {
      last = id
    })
    board.controller.on('action', ({ id }) => {
      last = id
    })
    return {
      ...board,
      inspection,
      callers: () => inspection.callersOf(last).map(({ name, file }) => `${name} ${file}`),
    }
  }

  test('a mutation that a handler of a component sends, also after it has waited', async () => {
    const { controller, patchNow, callers, inspection } = openWithCallers()
    const save = async (): Promise<void> => {
      await Promise.resolve()
      void controller.fetch(patchNow, { id: '1' }, { title: 'new' }).catch(() => {})
    }
    async function SaveButton(): Promise<void> {
      await save()
    }
    await SaveButton()
    expect(callers().slice(0, 2)).toEqual(['save reader-names.test.ts', 'SaveButton reader-names.test.ts'])
    const [first] = inspection.callersOf(1)
    expect(first?.url).toMatch(/reader-names\.test\.ts/)
    expect(first?.line).toBeGreaterThan(0)
    expect(first?.column).toBeGreaterThan(0)
  })

  test.each([
    ['set', (controller: Controller) => controller.set(Todo, { id: '1' }, { title: 'new' })],
    ['expireBy', (controller: Controller) => controller.expireBy(Todo)],
    ['invalidateAll', (controller: Controller) => controller.invalidateAll({ testKey: () => true })],
  ])('an action: %s', (_, act) => {
    const { controller, callers } = openWithCallers()
    function onClick(): void {
      act(controller)
    }
    onClick()
    expect(callers()).toContain('onClick reader-names.test.ts')
  })

  test('the refetch of a reader', async () => {
    const { controller, getTodo, callers, server } = openWithCallers()
    const query = controller.watch(getTodo, { id: '1' })
    watch(query)
    await settle()
    await server.one('getTodo').answer({ id: '1', title: 't', userId: '1', votes: 0 })
    function Again(): void {
      void query.refetch()
    }
    Again()
    expect(callers()[0]).toBe('Again reader-names.test.ts')
  })

  test('a reader that mounts has none, nor has anything without stacks, after the end, or in production', async () => {
    const { controller, getTodo, inspection, callers } = openWithCallers()
    const quiet = inspect(controller)
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(callers()).toEqual([])
    controller.expireBy(Todo)
    expect(callers().length).toBeGreaterThan(0)
    expect(quiet.callersOf(2)).toEqual([])
    inspection.stop()
    controller.expireBy(Todo)
    expect(callers()).toEqual([])
    vi.stubEnv('NODE_ENV', 'production')
    const { controller: other, callers: inProduction } = openWithCallers()
    other.expireBy(Todo)
    expect(inProduction()).toEqual([])
  })
})

const deps = 'http://x.test/node_modules/.vite/deps'
const V8 = `Error: a reader
    at ReaderNames.note (${deps}/@roundtable_core.js:1:1)
    at Registry.query (${deps}/@roundtable_core.js:2:1)
    at Controller.watch (${deps}/@roundtable_core.js:3:1)`

describe('a stack', () => {
  test.each([
    [
      'of React',
      `${V8}\n    at useSuspense (${deps}/@roundtable_react.js:1:1)\n    at TaskCard (http://x.test/card.tsx?t=1:9:1)`,
      'TaskCard',
    ],
    [
      'of Vue',
      `${V8}\n    at read (${deps}/@roundtable_vue.js:1:1)\n    at watch (${deps}/vue.js:1:1)\n    at setup (http://x.test/task-detail.vue?t=1:9:1)`,
      'task-detail',
    ],
    [
      'of Svelte',
      `${V8}\n    at get (${deps}/svelte.js:1:1)\n    at Numbers (http://x.test/numbers.svelte:9:1)`,
      'numbers',
    ],
    [
      'of a hook of an application',
      `${V8}\n    at useTask (http://x.test/use-task.ts:1:1)\n    at TaskCard (http://x.test/card.tsx:9:1)`,
      'TaskCard',
    ],
    [
      'of a listener in a script, which a component has triggered',
      `${V8}\n    at Array.<anonymous> (http://x.test/focus-line.ts:9:1)\n    at notify (${deps}/nanostores.js:1:1)\n    at choose (http://x.test/card.svelte:9:1)`,
      'focus-line.ts',
    ],
    ['of a script', `${V8}\n    at http://x.test/main.ts:9:1`, 'main.ts'],
    ['of Firefox', `query@${deps}/@roundtable_core.js:1:1\nTaskCard@http://x.test/card.tsx:9:1`, 'TaskCard'],
    ['that is empty', '', undefined],
  ])('%s', (_, stack, name) => {
    expect(readerIn(stack)).toBe(name)
  })
})
