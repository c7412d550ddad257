import { Entity, resource } from '@roundtable/core'
import { HandClock, type Interceptor, type RenderDataOptions, type RenderedData } from '@roundtable/core/testing'
import { describe, expect, test } from 'vitest'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

export const TodoResource = resource({ path: '/todos/:id', schema: Todo, optimistic: true })

export const todo = { id: 1, title: 'Sharpen the pencil' }

/** Answers for any todo. */
export const anyTodo: Interceptor = {
  endpoint: TodoResource.get,
  response: ({ id }: { id: number }) => ({ id, title: `Todo ${id}` }),
  delay: 200,
}

interface Props {
  readonly id: number
}

/** The kit of an adapter. The results of its readers are read as a user of the framework does. */
export interface Kit {
  readonly name: string
  /** `useSuspense(TodoResource.get, { id })`, and how its data is read. */
  suspense(options: RenderDataOptions<Props>): readonly [rendered: RenderedData<unknown, Props>, data: () => Todo]
  /** `useDLE(TodoResource.get, { id })`, and how it is read. */
  dle(options: RenderDataOptions<Props>): readonly [rendered: RenderedData<unknown, Props>, look: () => Look]
  /** Renders a function that throws. */
  broken(error: unknown): RenderedData<unknown>
}

/** The text for `useDLE`. */
export interface Look {
  readonly data: Todo | undefined
  readonly loading: boolean
  readonly error: Error | undefined
}

/** The behaviour of the kit of every adapter. */
export function testKit({ name, suspense, dle, broken }: Kit): void {
  describe(`the testing kit of ${name}`, () => {
    test('waits as long as the response takes, by its clock', async () => {
      const [{ result, advance }, data] = suspense({ initialProps: { id: 1 }, resolverFixtures: [anyTodo] })
      expect(result.pending).toBe(true)
      expect(() => result.current).toThrow('Nothing is shown yet')
      await advance(199)
      expect(result.pending).toBe(true)
      await advance(1)
      expect(result.pending).toBe(false)
      expect(data().title).toBe('Todo 1')
    })

    test('reports unreadable input as without fixtures', async () => {
      const initialProps = { id: undefined as never }
      const [, data] = dle({ initialProps, resolverFixtures: [anyTodo] })
      expect(data().error).toMatchObject({ name: 'UrlParamError', param: 'id' })
      const [{ result, advance }] = suspense({ initialProps, resolverFixtures: [anyTodo] })
      await advance()
      expect(result.error).toMatchObject({ name: 'UrlParamError', param: 'id' })
    })

    test('tells that no fixture matches, if a request gets no response', async () => {
      const transport = () => Promise.reject(new TypeError('fetch failed'))
      const [{ advance }, look] = dle({ initialProps: { id: 2 }, resolverFixtures: [], transport })
      await advance()
      expect(look().error?.message).toMatch(
        'GET /todos/2 got no response. No fixture matches this call of Todo.get. Add one: { endpoint, args: [{"id":2}], response }.',
      )
    })

    test('shows stored data from the start, as soon as promises have settled', async () => {
      const initialFixtures = [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }]
      const [{ advance }, data] = suspense({ initialProps: { id: 1 }, initialFixtures })
      await advance()
      expect(data().title).toBe('Sharpen the pencil')
    })

    test('fetches for new props', async () => {
      const [{ rerender, advance }, look] = dle({ initialProps: { id: 1 }, resolverFixtures: [anyTodo] })
      await advance(200)
      expect(look().data?.title).toBe('Todo 1')
      await rerender({ id: 2 })
      expect(look()).toMatchObject({ data: undefined, loading: true })
      await advance(200)
      expect(look()).toMatchObject({ data: { id: 2, title: 'Todo 2' }, loading: false })
    })

    test('shows an optimistic change at once, and reverts it when the response is an error', async () => {
      const refused = { endpoint: TodoResource.partialUpdate, response: refuse, delay: 100 }
      const initialFixtures = [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: todo }]
      const options = { initialProps: { id: 1 }, initialFixtures, resolverFixtures: [refused] }
      const [{ controller, act, advance }, look] = dle(options)
      let failure: Promise<unknown> | undefined
      await act(() => {
        failure = controller
          .fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Buy a pen' })
          .catch((error) => error)
      })
      expect(look().data?.title).toBe('Buy a pen')
      await advance(100)
      expect(look().data?.title).toBe('Sharpen the pencil')
      expect(await failure).toMatchObject({ message: 'No' })
    })

    test('throws the error of the request from current', async () => {
      const failed = { endpoint: TodoResource.get, args: [{ id: 1 }], response: new Error('Gone'), error: true }
      const [{ result, advance }] = suspense({ initialProps: { id: 1 }, resolverFixtures: [failed] })
      await advance()
      expect(result.error).toMatchObject({ message: 'Gone' })
      expect(result.pending).toBe(false)
      expect(() => result.current).toThrow('Gone')
    })

    test('throws from current what the function threw, also if that is no error', () => {
      expect(broken(new Error('A mistake')).result.error).toMatchObject({ message: 'A mistake' })
      expect(() => broken('a text').result.current).toThrow('a text')
    })

    test('takes a clock, and ends with unmount: nothing is fetched afterwards', async () => {
      const clock = new HandClock()
      let requested = 0
      const counted = { endpoint: TodoResource.get, response: () => ({ ...todo, requested: ++requested }) }
      const options = { clock, initialProps: { id: 1 }, resolverFixtures: [counted] }
      const [rendered] = dle(options)
      expect(rendered.clock).toBe(clock)
      await rendered.advance()
      expect(requested).toBe(1)
      await rendered.act(() => rendered.controller.invalidateAll(TodoResource.get))
      expect(requested).toBe(2)
      await rendered.unmount()
      expect(rendered.result.pending).toBe(true)
      await rendered.act(() => rendered.controller.invalidateAll(TodoResource.get))
      expect(requested).toBe(2)
    })
  })
}

function refuse(): never {
  throw new Error('No')
}
