import type { Controller } from '../client/controller.js'
import { HandClock, settle } from './hand-clock.js'
import { type MockControllerOptions, mockController } from './mock-controller.js'

/** The options of `renderDataHook`, `renderDataCompose` and `renderDataRune`. */
export interface RenderDataOptions<Props extends object = object> extends Omit<MockControllerOptions, 'env'> {
  /**
   * The props of the first call.
   *
   * @default {}
   */
  readonly initialProps?: Props | undefined
  /**
   * The clock of the controller and of delayed responses.
   *
   * @default a new one, which does not advance before `advance`
   */
  readonly clock?: HandClock | undefined
}

/** The result of a rendered function. */
export interface RenderResult<Result> {
  /**
   * The last returned value, or the value that a returned promise resolved with.
   *
   * @throws the error of the function, or an Error while it is pending
   */
  readonly current: Result
  /** True while the function suspends or its promise is pending. */
  readonly pending: boolean
  /** The error of the last call; undefined if it succeeded. */
  readonly error: Error | undefined
}

/** A function rendered by a framework: the result of `renderDataHook`, `renderDataCompose` and `renderDataRune`. */
export interface RenderedData<Result, Props extends object = object> {
  /** The current result of the function. */
  readonly result: RenderResult<Result>
  /** The controller that is provided to the function. */
  readonly controller: Controller
  /** The manual clock of the controller. */
  readonly clock: HandClock
  /** Calls the function with other props. */
  rerender(props: Props): Promise<void>
  /** Advances the clock by `ms`, 0 by default, and lets the framework render. */
  advance(ms?: number): Promise<void>
  /** Runs `work`, and lets the framework render. */
  act(work: () => unknown): Promise<void>
  /** Unmounts the test component. */
  unmount(): Promise<void>
}

/** A result that the code of a framework updates. */
export class ShownResult<Result> implements RenderResult<Result> {
  #shown: { readonly value: Result } | undefined
  #error: Error | undefined

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

  /** Sets the value that the function returned. */
  readonly show = (value: Result): void => {
    this.#shown = { value }
    this.#error = undefined
  }

  /** Calls the function, and waits for its result if that is a promise; then calls `onShown` with it. */
  follow(run: () => unknown, onShown: (value: Result) => void = () => {}): void {
    const take = (value: unknown): void => {
      // The caller's type argument is the result of the rendered function, or the value that it resolves with.
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

  /** Makes the result pending: the function suspends, or is unmounted. */
  readonly hide = (): void => {
    this.#shown = undefined
    this.#error = undefined
  }

  /** Sets the error that the function threw. */
  readonly fail = (error: unknown): void => {
    this.#shown = undefined
    this.#error = error instanceof Error ? error : new Error(String(error))
  }
}

/** A function that a framework renders. */
export interface Mounted<Props extends object> {
  rerender(props: Props): void
  unmount(): void
  /**
   * Wraps all work that may change the result.
   *
   * @default calls `work`
   */
  around?(work: () => Promise<void>): Promise<void>
}

/**
 * Renders a function of an adapter with a controller that responds with fixtures, and a manual clock. `renderDataHook`,
 * `renderDataCompose` and `renderDataRune` are built on it.
 *
 * @param mount lets the framework render the function and update the result
 * @example
 * ```ts
 * const rendered = renderData<Todo | undefined>({}, (controller, result) => {
 *   const todo = controller.watch(getTodo, { id: 1 })
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
    }).then(() => around(settle))
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
