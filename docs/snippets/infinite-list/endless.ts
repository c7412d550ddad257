import { type Controller, pagesOf } from '@roundtable/core'
import { getTodos } from './api.js'
import { errorText } from './error-text.js'
import { watchEnd } from './watch-end.js'

export function showEndless(
  list: HTMLElement,
  end: HTMLButtonElement,
  controller: Controller,
): () => void {
  const todos = pagesOf(controller, getTodos, { userId: 1, _limit: 8 })
  let unwatch = () => {}
  const show = () => {
    const snapshot = todos.getSnapshot()
    const { data = [], pages, hasNext, fetchingNext, error } = snapshot
    list.replaceChildren(
      ...data.map(({ title }) =>
        Object.assign(document.createElement('li'), { textContent: title }),
      ),
    )
    end.hidden = hasNext === false
    end.disabled = error === undefined
    end.textContent = error ? `${errorText(error)} Try again` : 'Loading …'
    unwatch()
    // Starts observing again after each page.
    const isReady = pages > 0 && hasNext && !fetchingNext && !error
    unwatch = isReady ? watchEnd(end, todos.fetchNext) : () => {}
  }
  end.onclick = todos.fetchNext
  const stop = todos.subscribe(show)
  show()
  return () => {
    stop()
    unwatch()
  }
}
