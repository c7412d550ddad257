import { Controller, type Manager } from '@roundtable/core'
import { Todo } from './api.js'

export function todoStream(url: string): Manager {
  return {
    start(controller) {
      const source = new EventSource(url)
      source.onmessage = ({ data }) => {
        const { id, ...change } = JSON.parse(data)
        controller.set(Todo, { id }, change)
      }
      return () => source.close()
    },
  }
}

export const makeController = () =>
  new Controller({ managers: [todoStream('/todos/stream')] })
