import type { EndpointInterface } from '../endpoint/options.js'
import { type AccessorName, type ListEndpoint, listIn } from '../rest/accessors.js'
import { isEndpoint } from '../schema/literal.js'

type Named = readonly (readonly [name: string, value: unknown])[]

/** The endpoints of the outbox by name, and their names. Resources create their endpoints when these are first read. */
export function namesOf(outbox: Readonly<Record<string, object>>): {
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
} {
  let read: Named | undefined
  const all = (): Named => {
    if (read !== undefined) return read
    const members = Object.entries(outbox).flatMap(([name, of]): Named => {
      if (typeof of === 'function') return [[name, of]]
      return Object.entries(of).map(([member, value]) => [`${name}.${member}`, value])
    })
    // They come last, since a resource's `create` is also the `push` of its list.
    read = [...members, ...members.flatMap(accessorsOf)]
    return read
  }
  return {
    nameOf: (endpoint) => all().find(([, value]) => value === endpoint)?.[0],
    endpointOf(name) {
      const [, value] = all().find(([of]) => of === name) ?? []
      return typeof value === 'function' ? (value as EndpointInterface) : undefined
    },
  }
}

const ACCESSORS = ['push', 'unshift', 'assign', 'remove', 'move'] as const

/** Returns the mutations of a list's endpoint, such as `TodoResource.getList.move`. */
function accessorsOf([name, value]: Named[number]): Named {
  if (!isEndpoint(value)) return []
  // Only a `RestEndpoint` has accessors: those for which its list has a schema.
  const endpoint = value as unknown as ListEndpoint & Record<AccessorName, unknown>
  const list = listIn(endpoint.schema)
  return ACCESSORS.flatMap((accessor) => (list?.[accessor] ? [[`${name}.${accessor}`, endpoint[accessor]]] : []))
}
