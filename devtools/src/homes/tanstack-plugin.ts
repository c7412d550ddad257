import type { Controller } from '@roundtable/core'
import { openDevtools } from '../open-devtools.js'
import { connect } from '../session.js'

/** A plugin in the form of TanStack Devtools. `Rendered` is the type that a framework's shell expects `render` to return. */
export interface TanstackPlugin<Rendered = void> {
  readonly id: string
  readonly name: string
  /** Puts the panel into an element of the shell. */
  render(element: HTMLElement, shell?: { readonly theme?: 'light' | 'dark' }): Rendered
  destroy(): void
}

/**
 * Returns the panel as a plugin of TanStack Devtools.
 *
 * @example
 * ```ts
 * <TanStackDevtools plugins={[tanstackPlugin(controller)]} />
 * ```
 */
export function tanstackPlugin<Rendered = void>(controller: Controller): TanstackPlugin<Rendered> {
  // Recording starts now, not when the panel is opened.
  const session = connect(controller)
  let close: Promise<() => void> | undefined
  return {
    id: 'roundtable',
    name: 'Roundtable',
    render(element, { theme } = {}) {
      close = openDevtools(session, { into: element, place: 'fill', ...(theme && { theme }) })
      // React's shell expects an element by type, and shows nothing for undefined.
      return undefined as Rendered
    },
    destroy() {
      void close?.then((end) => end())
    },
  }
}
