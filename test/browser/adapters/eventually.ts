import { expect, vi } from 'vitest'
import { HANGS } from '../../hangs.js'

/** Waits until what a page shows is this, however busy the machine is. */
export function eventually<Value>(look: () => Value | Promise<Value>, wanted: Value): Promise<void> {
  return vi.waitFor(async () => expect(await look()).toEqual(wanted), { interval: 20, timeout: HANGS })
}
