import { type Controller as Core, LogoutManager as CoreLogout, type LogoutOptions } from '@roundtable/core'
import { SUBSCRIBE, UNSUBSCRIBE } from './action-types.js'
import type { ActionTypes, SubscribeAction } from './actions.js'
import type { Controller } from './controller.js'
import { type NotCarried, NotCarriedError, notCarried } from './not-carried.js'
import type { State } from './state.js'

/** Passes an action on. */
export type Dispatch<Action = ActionTypes> = (action: Action) => Promise<void>

/**
 * A function that receives all actions, and may hold them back or send others.
 *
 * @example
 * ```ts
 * const log: Middleware = () => (next) => async (action) => {
 *   console.log(action.type)
 *   await next(action)
 * }
 * ```
 */
export type Middleware = (controller: Controller) => (next: Dispatch) => (action: ActionTypes) => Promise<void>

/** A manager of an application that uses data-client. */
export interface Manager {
  readonly middleware?: Middleware
  /** The middleware, before data-client 0.14. */
  getMiddleware?(): Middleware
  /** Called after the provider has mounted. */
  init?(state: State): void
  /** Called when the provider unmounts. */
  cleanup(): void
}

/** A manager whose work the controller does itself. A subclass would have no effect, so it throws. */
class BuiltIn implements Manager {
  constructor(Class: { readonly name: string }, own: unknown, instead: string) {
    if (Class !== own) throw new NotCarriedError(`A subclass of ${Object.getPrototypeOf(Class).name}`, instead)
  }

  cleanup(): void {}
}

/** The lifetimes of data and errors. Requests belong to the controller. */
export class NetworkManager extends BuiltIn {
  readonly dataExpiryLength: number | undefined
  readonly errorExpiryLength: number | undefined

  constructor({ dataExpiryLength, errorExpiryLength }: { dataExpiryLength?: number; errorExpiryLength?: number } = {}) {
    super(
      new.target,
      NetworkManager,
      'a part of the controller goes around its requests: new Controller({ parts: [ … ] }).',
    )
    this.dataExpiryLength = dataExpiryLength
    this.errorExpiryLength = errorExpiryLength
  }

  /** Returns false: the devtools show no actions. */
  skipLogging(_action: unknown): boolean {
    return false
  }
}

/** A subscribed call with the application's own transport. */
export interface Subscription {
  add(frequency?: number): void
  /** Removes a subscriber. Returns true if it was the last one. */
  remove(frequency?: number): boolean
  cleanup(): void
}

/** A class of subscriptions. */
export type SubscriptionConstructable = new (
  action: Omit<SubscribeAction, 'type'>,
  controller: Controller,
) => Subscription

/** Subscriptions of a class of the application. With `PollingSubscription`, the controller polls. */
export class SubscriptionManager extends BuiltIn {
  readonly middleware?: Middleware
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(Class: SubscriptionConstructable = PollingSubscription) {
    super(new.target, SubscriptionManager, 'middleware that takes actionTypes.SUBSCRIBE.')
    if (Class === PollingSubscription) return
    this.middleware = (controller) => (next) => async (action) => {
      if (action.type !== SUBSCRIBE && action.type !== UNSUBSCRIBE) return next(action)
      const { key, endpoint } = action
      const existing = this.#subscriptions.get(key)
      if (action.type === UNSUBSCRIBE) {
        if (existing?.remove(endpoint.pollFrequency)) this.#subscriptions.delete(key)
      } else if (existing) existing.add(endpoint.pollFrequency)
      else this.#subscriptions.set(key, new Class(action, controller))
    }
  }

  override cleanup(): void {
    for (const subscription of this.#subscriptions.values()) subscription.cleanup()
    this.#subscriptions.clear()
  }
}

/** The devtools are a package: `@roundtable/devtools`. */
export class DevToolsManager extends BuiltIn {
  constructor(_config?: unknown, _skipLogging?: unknown) {
    super(new.target, DevToolsManager, 'connect @roundtable/devtools to the controller.')
  }
}

/** Represents the controller's polls in `new SubscriptionManager(PollingSubscription)`. */
export const PollingSubscription: SubscriptionConstructable = notCarried(
  'new PollingSubscription()',
  'controller.subscribe(endpoint, ...args) polls at the pollFrequency of the endpoint.',
) as never

/** Throws: polls pause by themselves while the page is hidden or offline. */
export const DefaultConnectionListener: NotCarried = notCarried(
  'new DefaultConnectionListener()',
  'polls pause by themselves; new Controller({ env }) takes signals of your own.',
)

/** Returns the managers of an application that passes none. The controller does their work. */
export function getDefaultManagers(): Manager[] {
  return [new DevToolsManager(), new NetworkManager(), new SubscriptionManager(PollingSubscription)]
}

/** Core's `LogoutManager`. A subclass may define its functions as methods. */
export class LogoutManager extends CoreLogout {
  constructor(options: LogoutOptions = {}) {
    const { handleLogout, shouldLogout } = {
      ...methodsOf(new.target.prototype as LogoutOptions, () => this),
      ...options,
    }
    super({ ...(handleLogout && { handleLogout }), ...(shouldLogout && { shouldLogout }) })
  }

  /** Does nothing: `dispose` of the controller ends the manager. */
  cleanup(): void {}
}

/** Returns the functions that a subclass defines as methods. */
function methodsOf(prototype: LogoutOptions, self: () => object): LogoutOptions {
  const { handleLogout, shouldLogout } = prototype
  return {
    ...(handleLogout && { handleLogout: (controller: Core) => handleLogout.call(self(), controller) }),
    ...(shouldLogout && { shouldLogout: (error, request) => shouldLogout.call(self(), error, request) }),
  }
}

/** The time for which unused data stays: `intervalMS`. */
export class GCPolicy {
  readonly retention: { readonly after: number } | false | undefined

  /** @throws NotCarriedError for `expiresAt`, and for a subclass */
  constructor({ intervalMS, expiresAt }: { intervalMS?: number; expiryMultiplier?: number; expiresAt?: unknown } = {}) {
    const instead = 'new Controller({ retention: { after: ms } }) says how long unused data stays.'
    if (expiresAt !== undefined) throw new NotCarriedError('expiresAt of GCPolicy', instead)
    if (new.target !== GCPolicy && new.target !== ImmortalGCPolicy)
      throw new NotCarriedError('A subclass of GCPolicy', instead)
    this.retention =
      new.target === ImmortalGCPolicy ? false : intervalMS === undefined ? undefined : { after: intervalMS }
  }
}

/** A policy that keeps unused data for ever. */
export class ImmortalGCPolicy extends GCPolicy {}
