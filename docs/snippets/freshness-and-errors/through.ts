import { NetworkError } from '@roundtable/core'
import { TodoResource } from './api.js'

export const getTodo = (fetch: typeof globalThis.fetch) =>
  TodoResource.get.extend({
    async fetchResponse(input, init) {
      const response = await fetch(input, init)
      if (!response.ok) throw new NetworkError(response)
      return response
    },
  })
