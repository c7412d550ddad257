import { type Controller, pagesOf } from '@roundtable/core'
import { getTodos } from './api.js'
import { watchEnd } from './watch-end.js'

export function showEndless(
  list: HTMLElement,
  end: HTMLElement,
  controller: Controller,
): () => void {
  const todos = pagesOf(controller, getTodos, { userId: 1, _limit: 8 })
  let shown = 0
  let unwatch = () => {}
  const show = () => {
    const { data = [], pages, hasNext } = todos.getSnapshot()
    list.replaceChildren(
      ...data.map(({ title }) =>
        Object.assign(document.createElement('li'), { textContent: title }),
      ),
    )
    end.hidden = hasNext === false
    if (pages === shown) return
    shown = pages
    unwatch()
    unwatch = watchEnd(end, todos.fetchNext)
  }
  const stop = todos.subscribe(show)
  show()
  return () => {
    stop()
    unwatch()
  }
}
