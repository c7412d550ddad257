import { openDevtools } from '../open-devtools.js'
import type { Session } from '../session.js'

/** A tab in the form of Vue DevTools. */
export interface VueTab {
  readonly name: string
  readonly title: string
  readonly icon: string
  readonly category: string
  readonly view: { readonly type: 'iframe'; readonly src: string }
}

/**
 * Returns the panel as a tab of Vue DevTools, which show it in a frame within their own frame. Our page in that frame lets
 * the application's page add the panel, so that the panel runs where the session is.
 */
export function vueTab(session: Session): VueTab {
  const message = `roundtable:tab:${session.name}`
  addEventListener('message', ({ data, origin, source }) => {
    // Frames of the same origin are accessible.
    if (data === message && origin === location.origin) showPanel(session, source as Window)
  })
  const title = session.name === 'default' ? 'Roundtable' : `Roundtable: ${session.name}`
  const src = URL.createObjectURL(new Blob([pageOf(message)], { type: 'text/html' }))
  // Vue DevTools do not show a tab with the name of an inspector.
  return {
    name: `roundtable-panel-${session.name}`,
    title,
    icon: 'i-carbon-help',
    category: 'modules',
    view: { type: 'iframe', src },
  }
}

/** Returns the code of the page in the frame. Its text is visible if the frame is not inside of an application's page. */
function pageOf(message: string): string {
  // The text must not end the script.
  const text = JSON.stringify(message).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Roundtable</title>
<style>
html, body { height: 100%; margin: 0; }
p { padding: 24px; max-width: 50ch; font: 14px/1.5 system-ui, sans-serif; color: GrayText; opacity: 0; animation: show 0s 1s forwards; }
@keyframes show { to { opacity: 1; } }
</style>
<body>
<p>The panel needs the application’s page around it. Open Vue DevTools within the page, by their button or Shift+Alt+D.</p>
<script>
for (let at = window; at !== at.parent; at = at.parent) at.parent.postMessage(${text}, origin)
</script>
`
}

/** Puts the panel into a tab's page, in the colours of Vue DevTools. */
function showPanel(session: Session, tab: Window): void {
  const { body } = tab.document
  // Null if Vue DevTools have another origin.
  const root = tab.frameElement?.ownerDocument.documentElement
  const show = (): void => {
    const theme = root && { theme: root.classList.contains('dark') ? ('dark' as const) : ('light' as const) }
    void openDevtools(session, { into: body, place: 'fill', ...theme })
  }
  const watch = new MutationObserver(show)
  if (root) watch.observe(root, { attributeFilter: ['class'] })
  body.replaceChildren()
  show()
  // Removing a frame does not disconnect the elements in it.
  tab.addEventListener('pagehide', () => {
    watch.disconnect()
    body.replaceChildren()
  })
}
