import { format } from 'node:util'
import { afterEach, beforeEach, expect, vi } from 'vitest'

const METHODS = ['error', 'warn', 'info', 'log'] as const

/** Fails the test that printed an unexpected message. */
export function expectNoise(expected: readonly RegExp[]): void {
  let heard: string[] = []
  beforeEach(() => {
    heard = []
    for (const method of METHODS) {
      vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
        heard.push(format(...args))
      })
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    const unexpected = heard.filter((message) => !expected.some((pattern) => pattern.test(message)))
    expect(unexpected, 'printed').toEqual([])
  })
}
