import { $isListOpen } from '../device/list-open.js'
import { store } from '../device/store.js'
import { byId, element } from './element.js'
import { type IconName, icon } from './icons.js'
import { reasonOf } from './reason.js'
import { $refused } from './refused.js'

const MOST = 3
const LONG = 8_000

/**
 * Runs a change. If it fails, shows the server's message at the edge of the page, with a button to try again; by
 * then, the optimistic change has been rolled back. If somebody has written a text for it, that stays in the list of
 * refused changes when the
 * notice goes. Resolves with whether it went well, and never rejects.
 */
export async function attempt(wish: string, run: () => Promise<unknown>, written?: string): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    // The user has discarded it, so there is nothing to show.
    if (error instanceof DOMException && error.name === 'AbortError') return false
    const reason = error instanceof Error ? await reasonOf(error) : String(error)
    const title = `${wish} did not work`
    // A change that was kept is in the outbox, and is tried again from there.
    if (store !== undefined) {
      const text = `${reason} Everything is as it was before, and the change is kept.`
      show({ kind: 'failed', title, text, label: 'Show it', run: () => $isListOpen.set(true) })
      return false
    }
    const again = (): void => void attempt(wish, run, written)
    show({
      kind: 'failed',
      title,
      text: `${reason} Everything is as it was before.`,
      label: 'Try again',
      run: again,
      onGone() {
        if (written === undefined) return
        const change = { wish, text: written, reason, run: again }
        $refused.set([...$refused.get(), change])
      },
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
  /** Called when the notice goes without its action. */
  readonly onGone?: () => void
}

/** Called when newer notices push one out. */
const closers = new WeakMap<Element, () => void>()

function show({ kind, title, text, label, run, onGone }: Notice): () => void {
  const region = byId('notices')
  const close = (): void => {
    if (!notice.isConnected) return
    notice.remove()
    onGone?.()
  }
  const act = (): void => {
    notice.remove()
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
  closers.set(notice, close)
  for (const old of [...region.children].slice(0, -MOST)) closers.get(old)?.()
  return close
}
