import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

/** The height of a card and the gap below it, in pixels. */
export const ROW = 92

/** Rows that are rendered above and below what is seen. */
const SPARE = 4
const AT_FIRST = 12

/** The rows of a list that are rendered: from the first to before the last. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Which rows of a scrolled list are near enough to be seen. Rendering 60 cards instead of 2,000 is what keeps it quick. */
export function useWindow(scroller: RefObject<HTMLElement | null>): Window {
  const [window, setWindow] = useState<Window>({ from: 0, to: AT_FIRST })
  const measure = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const first = Math.floor(element.scrollTop / ROW)
    const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW)
    // In steps of four rows, so that scrolling a little renders nothing.
    const from = Math.max(0, Math.floor((first - SPARE) / 4) * 4)
    const to = Math.max(AT_FIRST, Math.ceil((last + SPARE) / 4) * 4)
    setWindow((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [scroller])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, measure])

  return window
}

/** Scrolls so that a row is seen whole. */
export function reveal(scroller: HTMLElement, index: number): void {
  const top = index * ROW
  const bottom = top + ROW
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight
}
