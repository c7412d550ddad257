import type { Controller } from '@roundtable/core'
import { openDevtools } from '../open-devtools.js'
import { connect } from '../session.js'

/** A plugin as TanStack Devtools takes them, in each of its shells; `Rendered` is what the shell wants `render` to return. */
export interface TanstackPlugin<Rendered = void> {
  readonly id: string
  readonly name: string
  /** Puts the panel into an element of the shell. */
  render(element: HTMLElement, shell?: { readonly theme?: 'light' | 'dark' }): Rendered
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
export function tanstackPlugin<Rendered = void>(controller: Controller): TanstackPlugin<Rendered> {
  // Recording begins now, not when the panel is opened.
  const session = connect(controller)
  let close: Promise<() => void> | undefined
  return {
    id: 'roundtable',
    name: 'Roundtable',
    render(element, { theme } = {}) {
      close = openDevtools(session, { into: element, place: 'fill', ...(theme && { theme }) })
      // The shell of React is typed to get an element, and shows nothing for undefined.
      return undefined as Rendered
    },
    destroy() {
      void close?.then((end) => end())
    },
  }
}
