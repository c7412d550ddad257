import { Collection, Endpoint, Entity, scope } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { refusal } from './fake-server.js'
import { ending, openBoard, Todo, type TodoData, watch } from './todo-board.js'

const id = '1'
const whole = { id, title: 'old', userId: '1', votes: 0 }
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

const rename = (title: string): TodoData => ({ title })
const vote: TodoData = { votes: 6 }
/** Edits in the order in which they start. */
const STARTS = [
  [rename('a'), rename('b'), vote],
  [rename('a'), vote, rename('b')],
  [vote, rename('a'), rename('b')],
] as const

class Judged extends Todo {
  static override key = 'PendingJudged'
  static override shouldUpdate(): boolean {
    return true
  }
}
class Merged extends Todo {
  static override key = 'PendingMerged'
  static override merge(before: object, incoming: object): never {
    return { ...before, ...incoming } as never
  }
}

interface Case {
  readonly Class?: typeof Todo
  readonly edits: readonly TodoData[]
  readonly applied: readonly number[]
  readonly answered: readonly number[]
  /** The edit before which somebody else renames the row. */
  readonly renamedBefore?: number | undefined
  /** The edit that the server refuses. */
  readonly refused?: number | undefined
}

/** Returns the differences between the screen and what a user should see. The server responds with whole rows. */
async function play({ Class = Todo, edits, applied, answered, renamedBefore, refused }: Case) {
  const { controller, server, patchNow, getTodo } = openBoard()
  const patch = patchNow.extend({ schema: Class })
  const shown = watch(controller.watch(getTodo.extend({ schema: Class }), { id }))
  await settle()
  await server.one('getTodo').answer(whole)
  const calls = edits.map((body) => ending(controller.fetch(patch, { id }, body)))
  let row = whole
  const answers = new Map<number, object>()
  for (const i of applied) {
    if (i === renamedBefore) row = { ...row, title: 'theirs' }
    if (i === refused) continue
    row = { ...row, ...edits[i] }
    answers.set(i, row)
  }
  const wrong: string[] = []
  const check = (when: string, what: string, found: unknown, wanted: unknown): void => {
    if (found !== wanted) wrong.push(`${when}: ${what} ${found} in place of ${wanted}`)
  }
  for (const [at, i] of answered.entries()) {
    const answer = answers.get(i)
    await (answer === undefined ? server.one('patch', i).fail(refusal) : server.one('patch', i).answer(answer))
    const when = `answer ${at}`
    const open = answered.slice(at + 1)
    // Of those that the server has not refused yet.
    const titles = edits.flatMap(({ title }, of) => (of !== refused || open.includes(of) ? (title ?? []) : []))
    if (open.some((of) => edits[of]?.title !== undefined)) check(when, 'title', shown.now.data?.title, titles.at(-1))
    if (edits[i]?.title === 'b' && answer) check(when, 'the promise has', calls[i]?.value?.title, 'b')
    if (refused === undefined || edits[refused]?.votes === undefined) check(when, 'votes', shown.now.data?.votes, 6)
  }
  let asked = 0
  while (server.of('getTodo').length > asked + 1) await server.one('getTodo', ++asked).answer(row)
  check('in the end', 'title', shown.now.data?.title, row.title)
  check('in the end', 'votes', shown.now.data?.votes, row.votes)
  controller.dispose()
  return { wrong, asked }
}

/** The differences of all orders of applying and answering. */
async function playAll(of: Omit<Case, 'applied' | 'answered'>) {
  const failed: string[] = []
  let mostAsked = 0
  for (const applied of ORDERS) {
    for (const answered of ORDERS) {
      const { wrong, asked } = await play({ ...of, applied, answered })
      mostAsked = Math.max(mostAsked, asked)
      if (wrong.length > 0) failed.push(`applied ${applied}, answered ${answered}: ${wrong.join('; ')}`)
    }
  }
  return { failed, mostAsked }
}

describe('edits of a row that overlap, of which the server answers each with the whole row', () => {
  const cases = STARTS.flatMap((edits) =>
    [undefined, 0, 1, 2].flatMap((renamedBefore) =>
      [undefined, 0, 1, 2].map((refused) => ({ edits, text: JSON.stringify(edits), renamedBefore, refused })),
    ),
  )

  test.each(cases)(
    '$text: in every order the latest one is shown; renamed by another user before $renamedBefore, refused $refused',
    async ({ edits, renamedBefore, refused }) => {
      const { failed, mostAsked } = await playAll({ edits, renamedBefore, refused })
      expect(failed).toEqual([])
      expect(mostAsked).toBeLessThan(2)
    },
  )

  const classes = [Judged, Merged].flatMap((Class) => STARTS.map((edits) => ({ Class, key: Class.key, edits })))

  test.each(classes)('the same with a class that decides by itself: $key, $edits', async ({ Class, edits }) => {
    expect((await playAll({ Class, edits })).failed).toEqual([])
    expect((await playAll({ Class, edits, renamedBefore: 2 })).failed).toEqual([])
  })
})

describe('a rename that is pending while the response of another edit has a title of somebody else', () => {
  const opened = async (options: { readonly isNow?: boolean } = {}) => {
    const board = openBoard()
    const { controller, getTodo, server, patch, patchNow } = board
    const shown = watch(controller.watch(getTodo, { id }))
    await settle()
    await server.one('getTodo').answer(whole)
    const renamed = ending(controller.fetch(options.isNow === false ? patch : patchNow, { id }, rename('mine')))
    return { ...board, shown, renamed }
  }

  test('stays shown, and once it is answered; then the row is asked for', async () => {
    const { controller, patch, server, shown, renamed } = await opened()
    void controller.fetch(patch, { id }, vote)
    await server.one('patch', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'mine', votes: 6 })
    expect(server.of('getTodo')).toHaveLength(1)
    await server.one('patch', 0).answer({ ...whole, title: 'mine', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'mine', votes: 6 })
    expect(renamed.value).toMatchObject({ title: 'mine' })
    expect(shown.seen.map(({ data }) => data?.title)).not.toContain('theirs')
    await server.one('getTodo', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'theirs', votes: 6 })
  })

  test('if it fails, what the other response said is shown', async () => {
    const { controller, patch, server, shown } = await opened()
    void controller.fetch(patch, { id }, vote)
    await server.one('patch', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    await server.one('patch', 0).fail(refusal)
    expect(shown.now.data).toMatchObject({ title: 'theirs', votes: 6 })
  })

  test('the other response does not undo it if it comes later', async () => {
    const { controller, patch, server, shown } = await opened()
    void controller.fetch(patch, { id }, vote)
    await server.one('patch', 0).answer({ ...whole, title: 'mine' })
    await server.one('patch', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'mine', votes: 6 })
    await server.one('getTodo', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'theirs', votes: 6 })
  })

  test('an edit that is sent after it was answered knows what came after it', async () => {
    const { controller, patch, server, shown } = await opened()
    await server.one('patch', 0).answer({ ...whole, title: 'mine' })
    void controller.fetch(patch, { id }, vote)
    await server.one('patch', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'theirs', votes: 6 })
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('so does one that had to wait until it was answered', async () => {
    const { controller, patchNow, server, getTodo } = openBoard()
    const patch = patchNow.extend({ scope: scope('row') })
    const shown = watch(controller.watch(getTodo, { id }))
    await settle()
    await server.one('getTodo').answer(whole)
    void controller.fetch(patch, { id }, rename('mine'))
    void controller.fetch(patch, { id }, vote)
    await server.one('patch', 0).answer({ ...whole, title: 'mine' })
    await server.one('patch', 1).answer({ ...whole, title: 'theirs', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'theirs', votes: 6 })
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test.each([[undefined], [{ reason: 'spam' }]])(
    'an action whose body does not tell what it changes comes in the order of the calls: %j',
    async (body) => {
      const { controller, server, shown } = await opened({ isNow: false })
      const hide = new Endpoint(server.on<[{ readonly id: string }, object?]>('hide'), {
        name: 'hide',
        schema: Todo,
        sideEffect: true,
      })
      void (body === undefined ? controller.fetch(hide, { id }) : controller.fetch(hide, { id }, body))
      await server.one('patch').answer({ ...whole, title: 'mine' })
      await server.one('hide').answer({ ...whole, title: 'hidden' })
      expect(shown.now.data?.title).toBe('hidden')
    },
  )

  test('what the server counts by itself stays that of the later call beside an action without a body', async () => {
    class Counted extends Entity {
      static override key = 'PendingCounted'
      id = ''
      title = ''
      version = 0
    }
    const { controller, server, patch: before } = openBoard()
    const options = { name: 'hide', schema: Counted, sideEffect: true } as const
    const hide = new Endpoint(server.on<[{ readonly id: string }]>('hide'), options)
    const patch = before.extend({ schema: Counted })
    controller.set(Counted, { id }, { id, title: 'old', version: 1 })
    const shown = watch(controller.view(Counted, { id }))
    void controller.fetch(hide, { id })
    void controller.fetch(patch, { id }, rename('mine'))
    await server.one('hide').answer({ id, title: 'old', version: 2 })
    await server.one('patch').answer({ id, title: 'mine', version: 3 })
    expect(shown.now).toMatchObject({ title: 'mine', version: 3 })
  })

  test('of a row that comes nested in the response of another mutation, the pending edit stays shown', async () => {
    class Card extends Entity {
      static override key = 'PendingCard'
      static override schema = { todo: Todo }
      id = ''
      text = ''
      todo: Todo | undefined = undefined
    }
    const { controller, patch, server, shown } = await opened()
    void controller.fetch(patch.extend({ schema: Card }), { id: 'c' }, { text: 'new' } as TodoData)
    await server.one('patch', 1).answer({ id: 'c', text: 'new', todo: { ...whole, title: 'theirs', votes: 6 } })
    expect(shown.now.data).toMatchObject({ title: 'mine', votes: 6 })
    await server.one('patch', 0).answer({ ...whole, title: 'mine', votes: 6 })
    expect(shown.now.data).toMatchObject({ title: 'mine', votes: 6 })
  })

  test('lists with belongs keep the row where the pending edit has put it', async () => {
    const kept = new Collection([Todo], {
      belongs: ({ userId }: { readonly userId: string }, args: { readonly userId?: string }) => userId === args.userId,
    })
    const { controller, getTodos, patchNow, server } = openBoard()
    const getKept = getTodos.extend({ schema: kept })
    const lists = ['1', '2', '3'].map((userId) => watch(controller.watch(getKept, { userId })))
    await settle()
    for (const [i, rows] of [[whole], [], []].entries()) await server.one('getTodos', i).answer(rows)
    const show = () => lists.map(({ now }) => now.data?.map((todo) => todo.id).join())
    void controller.fetch(patchNow, { id }, { userId: '2' })
    void controller.fetch(patchNow, { id }, vote)
    await server.one('patch', 1).answer({ ...whole, userId: '3', votes: 6 })
    expect(show()).toEqual(['', id, ''])
    await server.one('patch', 0).answer({ ...whole, userId: '2', votes: 6 })
    expect(show()).toEqual(['', id, ''])
  })
})
