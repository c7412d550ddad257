import type { CheckOptions } from '@roundtable/core/check'

export * from './api.js'

export const checks: Record<string, CheckOptions> = {
  TodoResource: {
    filters: ['userId', 'done'],
    example: { userId: 1, title: 'A test', done: false },
    change: { title: 'Another' },
  },
}
