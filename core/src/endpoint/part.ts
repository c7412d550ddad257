import type { AroundExchange, EndpointInterface, PartRequest, RequestPart } from './options.js'

const NONE: readonly RequestPart[] = []

/** The parts of an endpoint's requests, in their order; `shared` are those of the controller. */
export function partsOf(endpoint: EndpointInterface, shared: readonly RequestPart[] = NONE): readonly RequestPart[] {
  const { parts: own = NONE, retry, batch, scope } = endpoint
  const ofClass = partsOfClass(endpoint.constructor)
  const options = [retry, batch, scope]
  if (ofClass === NONE && own.length === 0 && options.every((option) => option === undefined)) return shared
  const all = [...shared, ...ofClass, ...own, ...options]
  return all.filter((part, at): part is RequestPart => part !== undefined && !isReplaced(part, all, at))
}

function isReplaced(part: RequestPart, all: readonly (RequestPart | undefined)[], at: number): boolean {
  return all.some((other, i) => i > at && (other === part || (part.isOnly === true && other?.name === part.name)))
}

const ofClasses = new WeakMap<object, readonly RequestPart[]>()

/** The `static parts` of a class and of those that it extends, found once for each. */
function partsOfClass(Class: object): readonly RequestPart[] {
  let parts = ofClasses.get(Class)
  if (parts === undefined) {
    // What classes extend in the end is `Function.prototype`, and null.
    const Base = Object.getPrototypeOf(Class) as object | null
    const inherited = Base === null ? NONE : partsOfClass(Base)
    const own = Object.hasOwn(Class, 'parts') ? (Class as { readonly parts: readonly RequestPart[] }).parts : NONE
    parts = own.length > 0 ? [...inherited, ...own] : inherited
    ofClasses.set(Class, parts)
  }
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
      // Both are given what they go around; `request` calls it without a signal.
      if (part[hook]) send = async () => part[hook]?.(request, inner)
    }
  }
  return send()
}

/** Returns what the parts do with the HTTP calls of a request. */
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
