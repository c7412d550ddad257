import type { EndpointInterface } from '../endpoint/options.js'

/** The endpoints of the outbox by name, and their names. Resources create their endpoints when these are first read. */
export function namesOf(outbox: Readonly<Record<string, object>>): {
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
} {
  let names: Map<unknown, string> | undefined
  return {
    nameOf(endpoint) {
      if (names === undefined) {
        names = new Map()
        for (const [name, of] of Object.entries(outbox)) {
          if (typeof of === 'function') names.set(of, name)
          else for (const [member, value] of Object.entries(of)) names.set(value, `${name}.${member}`)
        }
      }
      return names.get(endpoint)
    },
    endpointOf(name) {
      const [first = '', member] = name.split('.')
      const of = Object.hasOwn(outbox, first) ? outbox[first] : undefined
      // Names are those of the members of a resource.
      const endpoint = member === undefined ? of : (of as Readonly<Record<string, object | undefined>>)?.[member]
      return typeof endpoint === 'function' ? (endpoint as EndpointInterface) : undefined
    },
  }
}
