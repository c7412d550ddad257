import { Controller } from '@roundtable/core'
import { AsyncBoundary, DataProvider } from '@roundtable/react'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { STATUSES, Task } from '../../../examples/board/src/api/task.js'
import { changeTask } from '../../../examples/board/src/api/tasks.js'
import { Columns } from '../../../examples/board/src/board/columns.js'
import { ROW } from '../../../examples/board/src/board/window.js'
import { HANGS } from '../../hangs.js'

const COUNT = 2_000
/** How many cards of each column are near enough to be seen. */
const ROWS = 40

/** The ids of the cards that rendered since the last call. */
const rendered = vi.hoisted(() => [] as string[])

// The content of a card, inside a Profiler: React calls it when this card renders, and only then.
vi.mock('../../../examples/board/src/board/card-face.js', async (original) => {
  const { CardFace } = await original<typeof import('../../../examples/board/src/board/card-face.js')>()
  const Watched: typeof CardFace = (props) => (
    <Profiler id={String(props.task.id)} onRender={(id) => rendered.push(id)}>
      <CardFace {...props} />
    </Profiler>
  )
  return { CardFace: Watched }
})

let response: (body: object) => void = () => {}

beforeEach(() => {
  const answered = new Promise((resolve) => {
    response = resolve
  })
  // The document of the tests has no layout of its own.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(ROWS * ROW)
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET' }: RequestInit) => {
    return Response.json(method === 'GET' ? tasks() : await answered)
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('2,000 tasks are shown; a rename renders one card, optimistically and on the response', async () => {
  const controller = await showBoard()
  expect(new Set(take()).size).toBeGreaterThanOrEqual(STATUSES.length * ROWS)
  let saved: Promise<unknown> = Promise.resolve()
  act(() => {
    saved = controller.fetch(changeTask, { id: 7 }, { title: 'Renamed' })
  })
  expect(screen.getByText('Renamed')).toBeTruthy()
  expect(take()).toEqual(['7'])

  await act(async () => {
    response({ ...task(7), title: 'Renamed', updatedAt: '2026-03-03T00:00:00.000Z' })
    await saved
  })
  expect(take()).toEqual(['7'])
  controller.dispose()
})

test('a write of a script renders one card too, and a write without a change none', async () => {
  const controller = await showBoard()
  take()
  act(() => controller.set(Task, { id: 31 }, { id: 31, title: 'By a script' }))
  expect(screen.getByText('By a script')).toBeTruthy()
  expect(take()).toEqual(['31'])
  act(() => controller.set(Task, { id: 31 }, { id: 31, title: 'By a script' }))
  expect(take()).toEqual([])
  controller.dispose()
})

test('a card that moves to another column renders there, and its new neighbours do not', async () => {
  const controller = await showBoard()
  take()
  const { status } = task(7)
  const next = STATUSES.find((other) => other !== status) ?? 'done'
  act(() => controller.set(Task, { id: 7 }, { id: 7, status: next }))
  // The last one comes near enough to be seen now that there is a card less above it.
  expect(new Set(take())).toEqual(new Set(['7', '179']))
  controller.dispose()
})

async function showBoard(): Promise<Controller> {
  const controller = new Controller()
  render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="Loading">
        <Columns projectId={undefined} colors={undefined} words="" isStale={false} />
      </AsyncBoundary>
    </DataProvider>,
  )
  await waitFor(() => expect(screen.getByText('Task 1')).toBeTruthy(), { timeout: HANGS })
  expect([...document.querySelectorAll('.count')].reduce((sum, { textContent }) => sum + Number(textContent), 0)).toBe(
    COUNT,
  )
  return controller
}

function take(): readonly string[] {
  return rendered.splice(0)
}

function tasks(): readonly object[] {
  return Array.from({ length: COUNT }, (_, index) => task(index + 1))
}

function task(id: number): Partial<Task> {
  const createdAt = '2026-03-02T00:00:00.000Z'
  const status = STATUSES[id % STATUSES.length] ?? 'todo'
  const rest = { assigneeId: null, dueDate: null, createdAt, completedAt: null, updatedAt: createdAt }
  return { id, projectId: 1, title: `Task ${id}`, status, position: id * 1_024, ...rest }
}
