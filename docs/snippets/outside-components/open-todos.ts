import { useDLE } from '@roundtable/vue'
import { type App, computed, effectScope } from 'vue'
import { TodoResource } from './api.js'

export function openTodos(app: App, userId: () => number) {
  const scope = effectScope(true)
  const count = app.runWithContext(() =>
    scope.run(() => {
      const { data } = useDLE(TodoResource.getList, () => ({
        userId: userId(),
      }))
      return computed(
        () => data.value?.filter(({ completed }) => !completed).length,
      )
    }),
  )
  return { count, stop: () => scope.stop() }
}
