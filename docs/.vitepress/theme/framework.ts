import { inBrowser } from 'vitepress'
import { readonly, ref } from 'vue'
import { choiceName, type Framework, frameworks, isFramework } from '../frameworks.js'

const current = ref<Framework>(frameworks[0])

/** What the reader chose. On the server, and until the page is mounted, the first. */
export const framework = readonly(current)

/** Takes over what the script in the head has decided. */
export function adoptFramework(): void {
  const chosen = document.documentElement.dataset.framework
  if (isFramework(chosen)) current.value = chosen
}

/** Shows another dialect and remembers it; what the reader looks at stays where it is. */
export function chooseFramework(next: Framework): void {
  if (!inBrowser) return
  const fixed = landmark()
  const before = placeOf(fixed)
  current.value = next
  document.documentElement.dataset.framework = next
  try {
    localStorage.setItem(choiceName, next)
  } catch {
    // A browser that stores nothing shows the choice until the page is loaded again.
  }
  const url = new URL(location.href)
  if (url.searchParams.has(choiceName)) {
    url.searchParams.set(choiceName, next)
    history.replaceState(history.state, '', url)
  }
  if (fixed) window.scrollBy({ top: fixed.getBoundingClientRect().top - before, behavior: 'instant' })
  last = { block: fixed, top: before, scrolled: window.scrollY }
}

/**
 * The block that stayed at its place when the dialect changed last, where that was, and how far the page was scrolled
 * then.
 */
let last: { readonly block: Element | undefined; readonly top: number; readonly scrolled: number } | undefined

/**
 * Where a block shall stay. A page scrolls by whole pixels, so a block comes to stand up to half a pixel beside its
 * place: until the reader scrolls it is meant to be where it was at first, or each change would add another half.
 */
function placeOf(block: Element | undefined): number {
  const isWhereItWas = last !== undefined && last.block === block && last.scrolled === window.scrollY
  return last !== undefined && isWhereItWas ? last.top : (block?.getBoundingClientRect().top ?? 0)
}

/** The first block in sight that all dialects have; inside a long dialect, the last one above. */
function landmark(): Element | undefined {
  const blocks = [...document.querySelectorAll('.vp-doc > div > :not(.dialect)')]
  const top = 80
  const inSight = blocks.find((block) => {
    const { top: start, bottom, height } = block.getBoundingClientRect()
    return height > 0 && bottom > top && start < innerHeight
  })
  return inSight ?? blocks.findLast((block) => block.getBoundingClientRect().bottom <= top)
}
