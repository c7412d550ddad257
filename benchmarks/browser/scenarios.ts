import type { Mounted, Screen } from './page/app.js'
import { USERS } from './page/issues.js'

/** Something to do, and how the page tells that it is done. */
export interface Step {
  act(app: Mounted): unknown
  isDone(root: HTMLElement): boolean
}

/** What is done on a page, timed from each step's act to the change of the document that ends it. */
export interface Scenario {
  readonly name: string
  /** Issues that the server has. */
  readonly count: number
  /** What is on the screen before. */
  readonly screen: Screen
  readonly steps: readonly Step[]
  /** True where the time to the next frame is told too. */
  readonly isPainted?: boolean
  /** Which frameworks run it. */
  readonly on: readonly ('React' | 'Vue' | 'Svelte')[]
}

const react = ['React'] as const
const all = ['React', 'Vue', 'Svelte'] as const

const text = (root: HTMLElement, selector: string): string | null | undefined =>
  root.querySelector(selector)?.textContent
const rows = (root: HTMLElement, part = 'list'): number => root.querySelectorAll(`[data-part=${part}] li`).length

function fetchList(count: number): Scenario {
  const step: Step = { act: (app) => app.show({ list: 'plain' }), isDone: (root) => rows(root) === count }
  return { name: `list of ${count}, fetched`, count, screen: {}, steps: [step], isPainted: true, on: all }
}

/** The switches of a page: to a detail and back, five times. */
function switches(): Scenario {
  const steps = [11, 22, 33, 44, 55].flatMap((id): Step[] => [
    {
      act: (app) => app.show({ detail: id }),
      isDone: (root) => text(root, '[data-part=detail] b')?.startsWith(`Issue ${id} `) ?? false,
    },
    { act: (app) => app.show({ list: 'plain' }), isDone: (root) => rows(root) === 100 },
  ])
  return { name: '10 switches between list and detail', count: 100, screen: { list: 'plain' }, steps, on: react }
}

function updateEverywhere(): Scenario {
  const title = 'Seen everywhere'
  const step: Step = {
    act: (app) => app.actions.updateIssue(5, { title }),
    isDone: (root) =>
      ['list] [data-id="5"]', 'detail]', 'pinned] [data-id="5"]'].every(
        (place) => text(root, `[data-part=${place} b`) === title,
      ),
  }
  const screen: Screen = { list: 'plain', detail: 5, pinned: true }
  return { name: 'one issue changed, seen in list, detail and card', count: 100, screen, steps: [step], on: all }
}

function renameUser(count: number): Scenario {
  const name = 'Somebody'
  // The first and the last row of the second user.
  const step: Step = {
    act: (app) => app.actions.renameUser(2, name),
    isDone: (root) => [1, count - USERS + 1].every((id) => text(root, `[data-id="${id}"] i`) === name),
  }
  const of = count.toLocaleString('en')
  return { name: `a user renamed, ${of} rows`, count, screen: { list: 'plain' }, steps: [step], on: all }
}

function rerank(): Scenario {
  const step: Step = {
    act: (app) => app.actions.updateIssue(250, { rank: -1 }),
    isDone: (root) => root.querySelector<HTMLElement>('li')?.dataset.id === '250',
  }
  return {
    name: 'sorted view of 500: one comes first',
    count: 500,
    screen: { list: 'sorted' },
    steps: [step],
    on: react,
  }
}

function create(): Scenario {
  const step: Step = {
    act: (app) => app.actions.createIssue('A new one', 'open'),
    isDone: (root) => rows(root) === 101,
  }
  return { name: 'create in a list of 100', count: 100, screen: { list: 'plain' }, steps: [step], on: react }
}

function remove(): Scenario {
  const step: Step = { act: (app) => app.actions.deleteIssue(50), isDone: (root) => rows(root) === 99 }
  return { name: 'delete from a list of 100', count: 100, screen: { list: 'plain' }, steps: [step], on: react }
}

function move(): Scenario {
  const step: Step = {
    act: (app) => app.actions.moveIssue(51, 'closed'),
    isDone: (root) => rows(root, 'open') === 49 && rows(root, 'closed') === 51,
  }
  return { name: 'move between two lists of 50', count: 100, screen: { states: true }, steps: [step], on: react }
}

/** Everything that is timed. */
export const scenarios: readonly Scenario[] = [
  fetchList(100),
  fetchList(500),
  switches(),
  updateEverywhere(),
  renameUser(1_000),
  renameUser(10_000),
  rerank(),
  create(),
  remove(),
  move(),
]
