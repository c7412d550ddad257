import type { PartRequest, RequestPart } from '@roundtable/core'
import { FETCH, OPTIMISTIC, SET_RESPONSE } from './action-types.js'
import type { FetchAction, OptimisticAction, SetResponseAction } from './actions.js'
import { NotCarriedError } from './not-carried.js'

/**
 * Sends an action through the middleware. `end` is called when all middleware has passed it on. Resolves with the name of
 * the last manager that received the action.
 */
export type Told = (action: FetchAction | SetResponseAction | OptimisticAction, end: () => void) => Promise<string>

/**
 * Creates the part that passes requests to middleware as actions. A request is sent when all middleware has passed its
 * action on. Otherwise it ends with `meta.resolve` or `meta.reject`, or fails.
 */
export function tellingPart(tell: Told): RequestPart {
  const starts = new WeakMap<PartRequest, number>()
  const of = ({ endpoint, args, key }: PartRequest) => ({ endpoint, args, key })
  /** Sends an action after the current commit, so that middleware finds the response in the store. */
  const tellLater = (request: PartRequest, response: unknown, error: boolean, expiresAt?: number): void => {
    const date = Date.now()
    const meta = { fetchedAt: starts.get(request) ?? date, date, expiresAt: expiresAt ?? date + 1_000 }
    queueMicrotask(() => void tell({ type: SET_RESPONSE, ...of(request), response, error, meta }, () => {}))
  }
  return {
    name: 'middleware',
    request(request, next) {
      const fetchedAt = Date.now()
      starts.set(request, fetchedAt)
      let isEnded = false
      let ends: Pick<FetchAction['meta'], 'resolve' | 'reject'> | undefined
      const promise = new Promise<unknown>((resolve, reject) => {
        const ending = (settle: (value: unknown) => void) => (value?: unknown) => {
          isEnded = true
          settle(value)
        }
        ends = { resolve: ending(resolve), reject: ending(reject) }
      })
      // The function above has already run.
      const { resolve, reject } = ends as unknown as FetchAction['meta']
      let isSent = false
      const send = (): void => {
        isSent = true
        next().then(resolve, reject)
      }
      const refuse = (manager: string): void => {
        if (isSent || isEnded) return
        const error = new NotCarriedError(
          'A middleware that drops rdc/fetch',
          `${manager} has dropped a request of ${request.endpoint.name}. Call next(action), or end the request by action.meta.resolve(response) or reject(error).`,
        )
        if (process.env.NODE_ENV !== 'production') console.error(error.message)
        reject(error)
      }
      tell({ type: FETCH, ...of(request), meta: { fetchedAt, resolve, reject, promise } }, send).then(refuse, reject)
      return promise
    },
    prepare(request) {
      if (request.endpoint.sideEffect !== true || !request.endpoint.getOptimisticResponse) return
      const date = Date.now()
      void tell({ type: OPTIMISTIC, ...of(request), meta: { fetchedAt: date, date, expiresAt: Infinity } }, () => {})
    },
    wrote(request, { data, response }) {
      tellLater(request, data, false, response.expiresAt)
    },
    settled(request, error) {
      if (error && !/^(?:Reset|Disposed|Abort)Error$/.test(error.name)) tellLater(request, error, true)
    },
  }
}
