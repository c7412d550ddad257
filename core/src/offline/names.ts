import type { EndpointInterface } from '../endpoint/options.js'

/** The endpoints of the outbox by name, and their names. Resources create their endpoints when these are first read. */
export function namesOf(outbox: Readonly<Record<string, object>>): {
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
} {
  let read: readonly (readonly [name: string, value: unknown])[] | undefined
  const all = (): NonNullable<typeof read> => {
    read ??= Object.entries(outbox).flatMap(([name, of]): NonNullable<typeof read> => {
      if (typeof of === 'function') return [[name, of]]
      return Object.entries(of).map(([member, value]) => [`${name}.${member}`, value])
    })
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
