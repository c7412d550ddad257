import type { AroundExchange, EndpointInterface, PartRequest, RequestPart } from './options.js'

const NONE: readonly RequestPart[] = []

/** Returns the parts of an endpoint's requests in order; `shared` are those of the controller. */
export function partsOf(endpoint: EndpointInterface, shared: readonly RequestPart[] = NONE): readonly RequestPart[] {
  const { parts: own = NONE, retry, batch, scope } = endpoint
  const ofClasses = partsOfClass(endpoint.constructor)
  if (ofClasses === NONE && own.length === 0 && !retry && !batch && !scope) return shared
  // Null means none, as in the platform's options; any other value that is no object belongs to the endpoint's author.
  const all = [...shared, ...ofClasses, ...own, retry, batch, scope].filter(
    (part) => part != null && typeof part === 'object',
  )
  // The last one stays of identical parts, and of parts of one name with `isOnly`.
  return all.filter(
    (part, at) => !all.some((other, i) => i > at && (other === part || (part.isOnly && other.name === part.name))),
  )
}

/** Returns the `static parts` of a class, after those of the classes that it extends. */
function partsOfClass(Class: object): readonly RequestPart[] {
  let parts = NONE
  for (let one: object | null = Class; one !== null; one = Object.getPrototypeOf(one) as object | null)
    if (Object.hasOwn(one, 'parts')) parts = [...(one as { readonly parts: readonly RequestPart[] }).parts, ...parts]
  return parts
}

/** Sends a request: `attempt` makes one attempt. */
export function sendBy(
  parts: readonly RequestPart[],
  request: PartRequest,
  attempt: (signal?: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  let send = attempt
  for (const hook of ['repeat', 'request'] as const) {
    for (const part of parts) {
      const inner = send
      // Both hooks receive the next step; `request` calls it without a signal.
      if (part[hook]) send = async () => part[hook]?.(request, inner)
    }
  }
  return send()
}

/** Returns the hook that wraps the HTTP calls of a request. */
export function exchangeBy(parts: readonly RequestPart[], request: PartRequest): AroundExchange {
  return (input, init, send) => {
    let next = send
    for (const part of parts) {
      const inner = next
      if (part.exchange)
        next = async (by) => (part as Required<RequestPart>).exchange({ request, input, init: by }, inner)
    }
    return next(init)
  }
}
