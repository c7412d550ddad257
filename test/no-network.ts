import { Socket } from 'node:net'
import { afterAll, afterEach, expect } from 'vitest'

/** A `connect` in place of that of Node. */
interface Guarded {
  (this: Socket, ...args: unknown[]): Socket
  /** The one of Node. */
  readonly connect?: Guarded
  /** The other machines that tests have tried to reach. */
  readonly refused?: string[]
}

// A process runs several files, and each of them this one.
const given = Socket.prototype.connect as Guarded
const connect = given.connect ?? given
const refused = given.refused ?? []

/**
 * No test may reach the network: one that passes because a server somewhere answers fails on a train, and a connection
 * that fails quietly hides a request that nobody wanted. A connection to another machine fails here, and so does its
 * test.
 */
function guardedConnect(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (host === undefined || /^(?:localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/.test(host))
    return connect.apply(this, args)
  refused.push(host)
  process.nextTick(() => this.destroy(new Error(`A test may not reach ${host}: give it a server of its own.`)))
  return this
}

Socket.prototype.connect = Object.assign(guardedConnect, { connect, refused })

/** The host of a call of `connect`; undefined for a pipe and for this machine. */
function hostOf([first, second]: readonly unknown[]): string | undefined {
  // Node itself passes its arguments on as one array.
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object' && options !== null) return (options as { readonly host?: string }).host
  return typeof second === 'string' ? second : undefined
}

/** Returns the other machines that were connected to since the last call. */
export const takeRefused = (): string[] => refused.splice(0)

function check(): void {
  expect(takeRefused(), 'Hosts that a test has tried to reach').toEqual([])
}

afterEach(check)
// A request can start after the end of the last test.
afterAll(check)
