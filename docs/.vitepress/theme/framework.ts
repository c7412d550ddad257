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
  const before = fixed?.getBoundingClientRect().top ?? 0
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
