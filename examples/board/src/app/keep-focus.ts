/** How many elements are remembered. */
const MOST = 8
const FOCUSABLE = 'button, input, select, textarea, a[href], [tabindex]'

/** Where an element with the focus was, for the time when it is gone. */
interface Place {
  readonly element: HTMLElement
  readonly panel: HTMLElement | null
  /** The task whose card or entry it belonged to. */
  readonly task: string | undefined
  /** The entry of a list that it belonged to, the list, and how many entries came before it there. */
  readonly entry: Element | null
  readonly list: Element | null
  readonly index: number
}

/**
 * Gives the focus back when the element that has it is removed or disabled, as when an optimistic change or its
 * rollback moves a card to another column: browsers then reset the focus to the top of the page. It goes to the same
 * task in the same panel, else to the entry that took its place in the list, else to what had the focus before.
 */
export function keepFocus(): void {
  /** The latest first. */
  const places: Place[] = []
  let current: Place | undefined
  const observer = new MutationObserver(restore)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    current = placeOf(target)
    places.splice(0, places.length, current, ...places.filter(({ element }) => element !== target).slice(0, MOST))
  })
  document.addEventListener('focusout', ({ target }) => {
    // An element that is removed loses the focus too: what happened to it is known after the step that does so.
    queueMicrotask(() => {
      restore(observer.takeRecords())
      const isLeft = current?.element === target && document.activeElement !== target && canFocus(current.element)
      if (isLeft) current = undefined
    })
  })

  function restore(records: readonly MutationRecord[]): void {
    const { activeElement } = document
    if (current === undefined || (activeElement !== document.body && activeElement !== current.element)) return
    const lost = current
    if (canFocus(lost.element)) {
      // Frameworks move entries of a list by taking them out and putting them in again.
      const isMoved = records.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost.element)))
      if (isMoved) lost.element.focus({ preventScroll: true })
      return
    }
    current = undefined
    const next = sameTask(lost) ?? sameEntry(lost) ?? places.find(({ element }) => canFocus(element))?.element
    const target = next ?? lost.panel
    target?.focus({ preventScroll: next === undefined })
  }
}

function placeOf(element: HTMLElement): Place {
  const entry = element.closest('li, .notice')
  const list = entry?.parentElement ?? null
  return {
    element,
    panel: element.closest<HTMLElement>('.panel'),
    task: element.closest<HTMLElement>('[data-task]')?.dataset.task,
    entry,
    list,
    index: entry === null || list === null ? 0 : [...list.children].indexOf(entry),
  }
}

function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function sameTask({ panel, task, element }: Place): HTMLElement | undefined {
  const entries = task === undefined ? [] : [...(panel?.querySelectorAll(`[data-task="${CSS.escape(task)}"]`) ?? [])]
  return likeIn(entries[0], element)
}

function sameEntry({ entry, list, index, element }: Place): HTMLElement | undefined {
  if (entry === null || list === null || entry.isConnected || !list.isConnected) return undefined
  return likeIn(list.children[Math.min(index, list.children.length - 1)], element)
}

/** The element in an entry that does what another did in its own, else the first that can have the focus. */
function likeIn(entry: Element | undefined, { ariaLabel, className }: HTMLElement): HTMLElement | undefined {
  const found = [...(entry?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter(canFocus)
  return found.find((one) => one.ariaLabel === ariaLabel && one.className === className) ?? found[0]
}
