import { expectServer } from '@roundtable/core/check'
import { test } from 'vitest'
import { TodoResource } from './api.js'

test.skipIf(!process.env.API_URL)(
  'the server keeps the rules',
  async () => {
    await expectServer(TodoResource, {
      urlPrefix: process.env.API_URL,
      filters: ['userId', 'done'],
      example: { userId: 1, title: 'A test', done: false },
      change: { title: 'Another' },
    })
  },
)
