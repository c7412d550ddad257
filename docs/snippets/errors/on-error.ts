import { Controller } from '@roundtable/core'

export const controller = new Controller({
  onError: (error) => console.error('Reported:', error),
})
