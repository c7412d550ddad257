import type { Session } from './session.js'

/** The options of `openDevtools`. */
export interface OpenOptions {
  /**
   * The element that the panel is added to.
   *
   * @default document.body
   */
  readonly into?: HTMLElement
  /**
   * `fill` fills the element that it is put into, as in the panel of another tool; `dock` is at the bottom of the
   * page; `float` is a
   * window on the page.
   *
   * @default 'dock'
   */
  readonly place?: 'dock' | 'float' | 'fill'
  /**
   * The colours.
   *
   * @default as the system
   */
  readonly theme?: 'light' | 'dark'
}

/** Opens the panel, which is loaded then. Returns a function that closes it. */
export async function openDevtools(session: Session, options: OpenOptions = {}): Promise<() => void> {
  const { DevtoolsElement } = await import('./panel/devtools-element.js')
  const { into = document.body, place = 'dock', theme } = options
  const open = into.querySelector<InstanceType<typeof DevtoolsElement>>(':scope > roundtable-devtools')
  const element = open ?? DevtoolsElement.create()
  element.session = session
  element.setAttribute('place', place)
  if (theme !== undefined) element.setAttribute('theme', theme)
  if (open === null) into.append(element)
  // Within another tool the keyboard stays where it is.
  if (place !== 'fill') element.focusPanel()
  return () => element.remove()
}
