import { inBrowser } from 'vitepress'

/** A name in code whose type is known; types/hover.ts writes them. */
const typed = '[data-type]'
/** Between a name and its type the pointer is over neither for a moment. */
const hideAfter = 150

/**
 * Shows the type of the name under the pointer. With the keyboard: Enter goes from a code block to its first name,
 * arrows to the next, Escape back.
 */
export function showTypesOfNames(): void {
  if (!inBrowser) return
  const tip = createTip()
  let timer = 0
  const show = (name: HTMLElement): void => {
    clearTimeout(timer)
    tip.show(name)
  }
  const hideSoon = (): void => {
    clearTimeout(timer)
    timer = window.setTimeout(tip.hide, hideAfter)
  }
  document.addEventListener('pointerover', ({ target }) => {
    const name = closest(target, typed)
    if (name) show(name)
    else if (closest(target, '.type-tip')) clearTimeout(timer)
    else hideSoon()
  })
  document.addEventListener('focusin', ({ target }) => {
    const name = closest(target, typed)
    if (name) show(name)
    else tip.hide()
  })
  document.addEventListener('scroll', tip.hide, { capture: true, passive: true })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tip.hide()
    const next = nextFocus(event)
    if (!next) return
    event.preventDefault()
    next.focus({ preventScroll: true })
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (next.matches(typed)) show(next)
  })
}

/** Where a key leads that is pressed in a code block. */
function nextFocus({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): HTMLElement | undefined {
  const block = closest(target, 'pre')
  if (!block || ctrlKey || metaKey || altKey) return undefined
  const names = [...block.querySelectorAll<HTMLElement>(typed)]
  const current = names.indexOf(target as HTMLElement)
  if (current < 0) return key === 'Enter' ? focusable(names[0]) : undefined
  if (key === 'Escape') return block
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key]
  return step ? focusable(names[current + step]) : undefined
}

/** Names are no stops of the Tab key: a page has hundreds. */
function focusable(name: HTMLElement | undefined): HTMLElement | undefined {
  if (name) name.tabIndex = -1
  return name
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}

function createTip() {
  const tip = document.createElement('div')
  tip.className = 'type-tip'
  tip.id = 'type-tip'
  tip.role = 'tooltip'
  tip.hidden = true
  document.body.append(tip)
  let shown: HTMLElement | undefined
  const hide = (): void => {
    shown?.removeAttribute('aria-describedby')
    shown = undefined
    tip.hidden = true
  }
  const show = (name: HTMLElement): void => {
    if (shown === name) return
    hide()
    shown = name
    name.setAttribute('aria-describedby', tip.id)
    const [type = '', about = ''] = (name.dataset.type ?? '').split('\n\n')
    const code = document.createElement('code')
    code.textContent = type
    const text = document.createElement('p')
    text.append(...wordsAndCode(about))
    tip.replaceChildren(code, ...(about ? [text] : []))
    tip.hidden = false
    place(tip, name)
  }
  return { show, hide }
}

/** A sentence with its code, which has backticks around it. */
function wordsAndCode(sentence: string): readonly (string | HTMLElement)[] {
  return sentence.split('`').map((part, index) => {
    if (index % 2 === 0) return part
    const code = document.createElement('code')
    code.textContent = part
    return code
  })
}

/** Below the name, above it where there is no room; never wider than the window. */
function place(tip: HTMLElement, name: HTMLElement): void {
  const { left, top, bottom } = name.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const margin = 8
  const below = bottom + 4
  const isRoomBelow = below + height + margin <= innerHeight
  tip.style.left = `${Math.max(margin, Math.min(left, document.documentElement.clientWidth - width - margin))}px`
  tip.style.top = `${isRoomBelow ? below : Math.max(margin, top - height - 4)}px`
}
