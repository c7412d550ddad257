import type { Status } from '../api/task.js'
import { ROW } from './window.js'

/** Called when a card is dropped on a column, with the index of the card below it. */
export type OnDrop = (taskId: string, status: Status, index: number) => void

const SLACK = 5
const HOLD = 280
const EDGE = 44

interface Target {
  readonly status: Status
  readonly index: number
}

/**
 * Lets cards be dragged with a mouse, a pen, or, after a short hold, a finger. While a card is in the air nothing is
 * rendered anew: a copy of it follows the pointer and a line shows where it would go. Escape puts it back.
 */
export function startDrags(root: HTMLElement, onDrop: OnDrop): () => void {
  function onDown(event: PointerEvent): void {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('.card[data-task]') : null
    if (card === null || event.button !== 0 || !event.isPrimary || !isHandle(event.target)) return
    const id = card.dataset.task ?? ''
    waitForDrag(root, card, event, (target) => onDrop(id, target.status, target.index))
  }
  root.addEventListener('pointerdown', onDown)
  return () => root.removeEventListener('pointerdown', onDown)
}

function isHandle(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.card-tools, .rename') === null
}

/** A press becomes a drag when a mouse moves, or a finger stays; a finger that moves scrolls. */
function waitForDrag(root: HTMLElement, card: HTMLElement, down: PointerEvent, drop: (target: Target) => void): void {
  const isTouch = down.pointerType === 'touch'
  const ending = new AbortController()
  const { signal } = ending
  const timer = isTouch ? setTimeout(begin, HOLD) : undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  addEventListener('pointerup', () => ending.abort(), { signal })
  addEventListener('pointercancel', () => ending.abort(), { signal })
  addEventListener('pointermove', onMove, { signal })

  function onMove(move: PointerEvent): void {
    if (Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) < SLACK) return
    if (isTouch) ending.abort()
    else begin()
  }

  function begin(): void {
    ending.abort()
    drag(root, card, down, drop)
  }
}

function drag(root: HTMLElement, card: HTMLElement, down: PointerEvent, drop: (target: Target) => void): void {
  const ending = new AbortController()
  const { signal } = ending
  const ghost = ghostOf(card)
  const line = document.createElement('div')
  line.className = 'drop-line'
  let column: HTMLElement | undefined
  let target: Target | undefined
  let at = { x: down.clientX, y: down.clientY }
  const grip = card.getBoundingClientRect()

  card.classList.add('is-dragged')
  document.documentElement.classList.add('dragging')
  document.body.append(ghost)
  addEventListener(
    'pointermove',
    (move) => {
      at = { x: move.clientX, y: move.clientY }
    },
    { signal },
  )
  addEventListener('pointerup', () => end(true), { signal })
  addEventListener('pointercancel', () => end(false), { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  // Without it a finger would scroll the column while it drags.
  addEventListener('touchmove', (event) => event.preventDefault(), { signal, passive: false })
  follow()

  function follow(): void {
    if (signal.aborted) return
    ghost.style.transform = `translate(${at.x - down.clientX + grip.left}px, ${at.y - down.clientY + grip.top}px) rotate(1.5deg)`
    aim()
    requestAnimationFrame(follow)
  }

  function aim(): void {
    const over = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('.column') ?? undefined
    if (over !== column) {
      column?.classList.remove('is-target')
      over?.classList.add('is-target')
      column = over
    }
    const scroller = column?.querySelector<HTMLElement>('.column-scroll')
    scrollNear(root, 'scrollLeft', at.x, root.getBoundingClientRect().left, root.clientWidth)
    if (scroller) scrollNear(scroller, 'scrollTop', at.y, scroller.getBoundingClientRect().top, scroller.clientHeight)
    target = scroller ? showLine(scroller, line, at.y) : undefined
    if (target === undefined) line.remove()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    end(false)
  }

  function end(isDropped: boolean): void {
    ending.abort()
    ghost.remove()
    line.remove()
    column?.classList.remove('is-target')
    card.classList.remove('is-dragged')
    document.documentElement.classList.remove('dragging')
    swallowClick()
    if (isDropped && target !== undefined) drop(target)
  }
}

function ghostOf(card: HTMLElement): HTMLElement {
  // A deep copy of an element is an element.
  const ghost = card.cloneNode(true) as HTMLElement
  const { width, height } = card.getBoundingClientRect()
  ghost.classList.add('is-ghost')
  ghost.style.width = `${width}px`
  ghost.style.height = `${height}px`
  ghost.removeAttribute('data-task')
  return ghost
}

function showLine(scroller: HTMLElement, line: HTMLElement, y: number): Target | undefined {
  const list = scroller.querySelector<HTMLElement>('.column-list')
  const status = scroller.dataset.column
  if (!list || !status) return undefined
  const { top, height } = list.getBoundingClientRect()
  const index = Math.max(0, Math.min(Math.round(height / ROW), Math.round((y - top) / ROW)))
  if (line.parentElement !== scroller) scroller.append(line)
  line.style.top = `${list.offsetTop + index * ROW - 5}px`
  // The attribute is written by TaskList, from a Status.
  return { status: status as Status, index }
}

/** Near its edges a list scrolls by itself, faster the nearer. */
function scrollNear(
  element: HTMLElement,
  side: 'scrollTop' | 'scrollLeft',
  at: number,
  start: number,
  length: number,
): void {
  const into = at - start
  if (into < -EDGE || into > length + EDGE) return
  if (into < EDGE) element[side] -= (EDGE - into) / 4
  else if (into > length - EDGE) element[side] += (into - length + EDGE) / 4
}

/** The click that follows a drag would open the task. */
function swallowClick(): void {
  const stop = (event: Event): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}
