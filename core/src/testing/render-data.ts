import type { Controller } from '../client/controller.js'
import { HandClock, settle } from './hand-clock.js'
import { type MockControllerOptions, mockController } from './mock-controller.js'

/** What `renderDataHook` and its likes take. */
export interface RenderDataOptions<Props extends object = object> extends Omit<MockControllerOptions, 'env'> {
  /**
   * What the function is given at first.
   *
   * @default {}
   */
  readonly initialProps?: Props | undefined
  /**
   * The clock of the controller and of the answers.
   *
   * @default one of its own, which stands still until `advance`
   */
  readonly clock?: HandClock | undefined
}

/** What a rendered function shows. */
export interface RenderResult<Result> {
  /**
   * What the function returned last; of a promise what it resolved with.
   *
   * @throws what the function failed with, or an Error while it waits
   */
  readonly current: Result
  /** True while the function waits: it suspended, or its promise is open. */
  readonly pending: boolean
  /** What the function failed with; undefined if it did not. */
  readonly error: Error | undefined
}

/** A function as it is rendered by a framework: what `renderDataHook` and its likes return. */
export interface RenderedData<Result, Props extends object = object> {
  /** What the function shows now. */
  readonly result: RenderResult<Result>
  /** The controller that the function is given. */
  readonly controller: Controller
  /** The clock of the controller. */
  readonly clock: HandClock
  /** Gives the function other props. */
  rerender(props: Props): Promise<void>
  /** Turns the clock on by `ms`, 0 by default, and lets the framework show what came of it. */
  advance(ms?: number): Promise<void>
  /** Does something, and lets the framework show what came of it. */
  act(work: () => unknown): Promise<void>
  /** Ends what was rendered. */
  unmount(): Promise<void>
}

/** Where a framework says what the function shows. */
export class ShownResult<Result> implements RenderResult<Result> {
  #shown: { readonly value: Result } | undefined = undefined
  #error: Error | undefined = undefined

  get current(): Result {
    if (this.#error !== undefined) throw this.#error
    if (this.#shown === undefined)
      throw new Error('Nothing is shown yet. Let what it waits for happen: await advance().')
    return this.#shown.value
  }

  get pending(): boolean {
    return this.#shown === undefined && this.#error === undefined
  }

  get error(): Error | undefined {
    return this.#error
  }

  /** The function returned something. */
  readonly show = (value: Result): void => {
    this.#shown = { value }
    this.#error = undefined
  }

  /** Calls the function, and waits for what it returns if that is a promise; `onShown` hears of what is shown then. */
  follow(run: () => unknown, onShown: (value: Result) => void = () => {}): void {
    const take = (value: unknown): void => {
      // Whoever renders a function says what it returns, or what that resolves with.
      this.show(value as Result)
      onShown(value as Result)
    }
    try {
      const returned = run()
      if (returned instanceof Promise) returned.then(take, this.fail)
      else take(returned)
    } catch (error) {
      this.fail(error)
    }
  }

  /** The function waits, or is not there any more. */
  readonly hide = (): void => {
    this.#shown = undefined
    this.#error = undefined
  }

  /** The function failed. */
  readonly fail = (error: unknown): void => {
    this.#shown = undefined
    this.#error = error instanceof Error ? error : new Error(String(error))
  }
}

/** What a framework does for a function that it renders. */
export interface Mounted<Props extends object> {
  rerender(props: Props): void
  unmount(): void
  /**
   * Goes around everything that may change what is shown.
   *
   * @default calls `work`
   */
  around?(work: () => Promise<void>): Promise<void>
}

/**
 * Puts a function of an adapter on a stage: a controller whose requests are answered from fixtures, a clock turned by hand, and a
 * framework that renders. It is what `renderDataHook`, `renderDataCompose` and `renderDataRune` are made of.
 *
 * @param mount makes the framework render the function and say what it shows
 * @example
 * ```ts
 * const rendered = renderData<Todo | undefined>({}, (controller, result) => {
 *   const todo = controller.query(getTodo, { id: 1 })
 *   const look = () => result.show(todo.getSnapshot().data)
 *   look()
 *   return { rerender: look, unmount: todo.subscribe(look) }
 * })
 * await rendered.advance(200)
 * ```
 */
export function renderData<Result, Props extends object = object>(
  options: RenderDataOptions<Props>,
  mount: (controller: Controller, result: ShownResult<Result>) => Mounted<Props>,
): RenderedData<Result, Props> {
  const { clock = new HandClock(), ...others } = options
  const controller = mockController({ ...others, env: clock })
  const result = new ShownResult<Result>()
  const { rerender, unmount, around = (work) => work() } = mount(controller, result)
  const act = (work: () => unknown): Promise<void> =>
    around(async () => {
      await work()
      await settle()
    })
  return {
    result,
    controller,
    clock,
    rerender: (props) => act(() => rerender(props)),
    advance: (ms = 0) => act(() => clock.advance(ms)),
    act,
    async unmount() {
      await act(unmount)
      result.hide()
    },
  }
}
