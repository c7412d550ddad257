import { byId, element } from './element.js'
import { type IconName, icon } from './icons.js'
import { reasonOf } from './reason.js'

const MOST = 3
const LONG = 8_000

/**
 * Runs a change. When it fails, says so at the edge of the page, in the server's words, with a button to try again; what
 * it had shown in advance is taken back by then. Resolves with whether it went well, and never rejects.
 */
export async function attempt(wish: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    const text = error instanceof Error ? await reasonOf(error) : String(error)
    show({
      kind: 'failed',
      title: `${wish} did not work`,
      text: `${text} Everything is as it was before.`,
      label: 'Try again',
      run: () => void attempt(wish, run),
    })
    return false
  }
}

/** Says for a few seconds what was done, with a button for what one may want next. */
export function inform(title: string, label: string, run: () => void): void {
  const close = show({ kind: 'done', title, label, run })
  setTimeout(close, LONG)
}

interface Notice {
  readonly kind: 'failed' | 'done'
  readonly title: string
  readonly text?: string
  /** The text of the button, and its action. */
  readonly label: string
  readonly run: () => void
}

function show({ kind, title, text, label, run }: Notice): () => void {
  const region = byId('notices')
  const close = (): void => notice.remove()
  const act = (): void => {
    close()
    run()
  }
  const name: IconName = kind === 'failed' ? 'failed' : 'task'
  const notice = element(
    'div',
    { className: `notice is-${kind}` },
    element('span', { className: 'notice-sign' }, icon(name)),
    element('strong', { textContent: title }),
    element(
      'button',
      { type: 'button', className: 'icon-button', 'aria-label': 'Dismiss', onclick: close },
      icon('close'),
    ),
    ...(text === undefined ? [] : [element('p', { textContent: text })]),
    element('button', { type: 'button', className: 'button', textContent: label, onclick: act }),
  )
  region.append(notice)
  while (region.children.length > MOST) region.firstElementChild?.remove()
  return close
}
