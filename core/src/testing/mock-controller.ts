import { Controller, type ControllerOptions } from '../client/controller.js'
import { answerFrom, type Unanswered } from './answer-from.js'
import type { Fixture, Interceptor } from './fixtures.js'
import { HandClock } from './hand-clock.js'

/** The options of `mockController`. */
export interface MockControllerOptions extends ControllerOptions {
  /**
   * The initial contents of the store.
   *
   * @default []
   */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /**
   * The responses to requests; `network` decides about requests without a match.
   *
   * @default []
   */
  readonly resolverFixtures?: readonly (Fixture | Interceptor)[] | undefined
  /**
   * With `'error'`, a request without a match is not sent: it fails at once with the fixture that it needs. `'use'` sends
   * it.
   *
   * @default 'use'
   */
  readonly network?: Unanswered | undefined
}

/**
 * Creates a controller for tests and stories: its store starts with fixtures, and it responds to requests with fixtures and
 * interceptors.
 *
 * @remarks
 * Without `env` it has its own `HandClock`, so time does not advance.
 *
 * @example
 * ```ts
 * const clock = new HandClock()
 * const controller = mockController({
 *   env: clock,
 *   initialFixtures: [{ endpoint: getTodos, args: [], response: [] }],
 *   resolverFixtures: [{ endpoint: createTodo, response: (body: object) => ({ id: 1, ...body }), delay: 200 }],
 * })
 * ```
 */
export function mockController(options: MockControllerOptions = {}): Controller {
  const {
    initialFixtures = [],
    resolverFixtures = [],
    network,
    managers = [],
    env = new HandClock(),
    ...others
  } = options
  const answered = (controller: Controller): Controller => answerFrom(controller, resolverFixtures, env, network)
  const controller = new Controller({
    ...others,
    env,
    // The fixtures also respond to requests of managers.
    managers: managers.map((manager) => ({ start: (started) => manager.start(answered(started)) })),
  })
  for (const fixture of initialFixtures) keep(controller, fixture)
  return answered(controller)
}

function keep(controller: Controller, { endpoint, args, response, error }: Fixture): void {
  // The test determines the arguments of a fixture.
  if (error) controller.setError(endpoint, ...(args as never), response as Error)
  else controller.setResponse(endpoint, ...(args as never), response)
}
