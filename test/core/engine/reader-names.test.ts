import { inspect } from '@roundtable/core/inspect'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readerIn } from '../../../core/src/inspection/reader-names.js'
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
      watch(controller.query(getTodo, { id: '1' }))
    }
    function useTodo(): void {
      watch(controller.select(Todo, { id: '1' }))
    }
    function showTodo(): void {
      useTodo()
    }
    TodoTitle()
    TodoTitle()
    showTodo()
    expect(inspection.inspectReaders().map(({ type, names }) => [type, names])).toEqual([
      ['query', ['TodoTitle']],
      ['select', ['showTodo']],
    ])
    expect(quiet.inspectReaders().map(({ names }) => names)).toEqual([[], []])
    inspection.stop()
    watch(controller.query(getTodo, { id: '2' }))
    expect(inspection.inspectReaders().at(-1)?.names).toEqual([])
  })

  test('not in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { controller, getTodo } = openBoard()
    const inspection = inspect(controller, { stacks: true })
    watch(controller.query(getTodo, { id: '1' }))
    expect(inspection.inspectReaders()[0]?.names).toEqual([])
  })
})

const V8 = `Error: a reader
    at ReaderNames.note (http://x.test/core.js:1:1)
    at Registry.query (http://x.test/core.js:2:1)
    at Controller.query (http://x.test/core.js:3:1)`

describe('a stack', () => {
  test.each([
    [
      'of React',
      `${V8}\n    at useSuspense (http://x.test/react.js:1:1)\n    at TaskCard (http://x.test/card.tsx?t=1:9:1)`,
      'TaskCard',
    ],
    [
      'of Vue',
      `${V8}\n    at watch (http://x.test/vue.js:1:1)\n    at setup (http://x.test/task-detail.vue?t=1:9:1)`,
      'task-detail',
    ],
    [
      'of Svelte',
      `${V8}\n    at get (http://x.test/svelte.js:1:1)\n    at Numbers (http://x.test/numbers.svelte:9:1)`,
      'numbers',
    ],
    ['of a script', `${V8}\n    at http://x.test/main.ts:9:1`, 'main.ts'],
    ['of Firefox', 'query@http://x.test/core.js:1:1\nTaskCard@http://x.test/card.tsx:9:1', 'TaskCard'],
    ['that is empty', '', undefined],
  ])('%s', (_, stack, name) => {
    expect(readerIn(stack)).toBe(name)
  })
})
