import {
  type Controller,
  follower,
  keepPrevious,
  pagesOf,
} from '@roundtable/core'
import { searchTodos } from './api.js'

/** Shows the results; the returned function searches for another word. */
export function showSearch(
  list: HTMLElement,
  more: HTMLButtonElement,
  controller: Controller,
): (q: string) => void {
  const follow = follower()
  let stop = () => {}
  return (q) => {
    const found = follow(
      pagesOf(controller, keepPrevious(searchTodos), { q, _limit: 2 }),
    )
    const show = () => {
      const { data = [], hasNext } = found.getSnapshot()
      list.replaceChildren(
        ...data.map(({ title }) =>
          Object.assign(document.createElement('li'), {
            textContent: title,
          }),
        ),
      )
      more.hidden = !hasNext
    }
    stop()
    stop = found.subscribe(show)
    more.onclick = found.fetchNext
    show()
  }
}
