/** Where the focus is, for the time when its element is gone. */
interface Place {
  readonly element: HTMLElement
  /** The entry of a list that it is in, the list, and the place there. */
  readonly list: Element | null | undefined
  readonly index: number
}

/**
 * Restores the focus when the focused element is removed: to the element with the same `name`, or to the entry that
 * took its place in the list. Returns a function that stops it.
 */
export function keepFocus(root: HTMLElement): () => void {
  let place: Place | undefined
  const observer = new MutationObserver(restore)
  observer.observe(root, { childList: true, subtree: true })
  root.addEventListener('focusin', enter)
  root.addEventListener('focusout', leave)

  function enter({ target }: Event) {
    const element = target as HTMLElement
    const entry = element.closest('li')
    const list = entry?.parentElement
    const index = entry && list ? [...list.children].indexOf(entry) : 0
    place = { element, list, index }
  }

  function leave({ target }: Event) {
    // An element that is removed loses the focus too.
    queueMicrotask(() => {
      restore(observer.takeRecords())
      if (place?.element === target && document.activeElement !== target) {
        place = undefined
      }
    })
  }

  function restore(changes: readonly MutationRecord[]) {
    if (!place || document.activeElement !== document.body) return
    const { element } = place
    const isGone = changes.some(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(element)),
    )
    if (isGone) successorOf(place)?.focus({ preventScroll: true })
  }

  function successorOf({ element, list, index }: Place) {
    if (element.isConnected) return element
    const name = element.getAttribute('name')
    const same = root.querySelector<HTMLElement>(`[name="${name}"]`)
    const last = (list?.children.length ?? 0) - 1
    const entry = list?.children[Math.min(index, last)]
    return same ?? entry?.querySelector<HTMLElement>(element.localName)
  }

  return () => {
    observer.disconnect()
    root.removeEventListener('focusin', enter)
    root.removeEventListener('focusout', leave)
  }
}
