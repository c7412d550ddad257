import type { Session } from './session.js'

/** The options of `openDevtools`. */
export interface OpenOptions {
  /**
   * The element to which the panel is added.
   *
   * @default document.body
   */
  readonly into?: HTMLElement
  /**
   * `fill` fills the element, as in the panel of another tool; `dock` is at the bottom of the page; `float` is a window
   * on the page.
   *
   * @default 'dock'
   */
  readonly place?: 'dock' | 'float' | 'fill'
  /**
   * The colours.
   *
   * @default those of the system
   */
  readonly theme?: 'light' | 'dark'
}

/** Loads and opens the panel. Returns a function that closes it. */
export async function openDevtools(session: Session, options: OpenOptions = {}): Promise<() => void> {
  const { DevtoolsElement } = await import('./panel/devtools-element.js')
  const { into = document.body, place = 'dock', theme } = options
  const open = into.querySelector<InstanceType<typeof DevtoolsElement>>(':scope > roundtable-devtools')
  const element = open ?? DevtoolsElement.create()
  element.session = session
  element.setAttribute('place', place)
  if (theme !== undefined) element.setAttribute('theme', theme)
  if (open === null) into.append(element)
  // Within another tool, the panel does not take the focus.
  if (place !== 'fill') element.focusPanel()
  return () => element.remove()
}
