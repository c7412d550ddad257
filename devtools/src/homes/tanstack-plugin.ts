import type { Controller } from '@roundtable/core'
import { openDevtools } from '../open-devtools.js'
import { connect } from '../session.js'

/** A plugin as TanStack Devtools takes them, in each of its shells. */
export interface TanstackPlugin {
  readonly id: string
  readonly name: string
  /** Puts the panel into an element of the shell. */
  render(element: HTMLElement): void
  destroy(): void
}

/**
 * The panel as a plugin of TanStack Devtools.
 *
 * @example
 * ```ts
 * <TanStackDevtools plugins={[tanstackPlugin(controller)]} />
 * ```
 */
export function tanstackPlugin(controller: Controller): TanstackPlugin {
  const session = connect(controller)
  let close: Promise<() => void> | undefined
  return {
    id: 'roundtable',
    name: 'Roundtable',
    render(element) {
      close = openDevtools(session, { into: element, place: 'fill' })
    },
    destroy() {
      void close?.then((end) => end())
    },
  }
}
