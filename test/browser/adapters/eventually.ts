import { expect } from 'vitest'

/** Expects something of what a page comes to show, however busy the machine is. */
export function eventually<Value>(look: () => Value | Promise<Value>) {
  return expect.poll(look, { interval: 20, timeout: 5_000 })
}
