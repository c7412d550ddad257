import { type Controller, transfer } from '@roundtable/core'
import { getLiveTodos } from './api.js'

export const takeTodos = (controller: Controller, text: string) =>
  controller.setResponse(
    getLiveTodos,
    { userId: 1 },
    transfer(JSON.parse(text)),
  )
