import { Controller, revalidate } from '@roundtable/core'
import { indexedDbLog, offline, outbox } from '@roundtable/core/offline'
import { TodoResource, uploadFile } from './api.js'

export const store = offline({
  log: indexedDbLog('board:42'), // one for each user
  version: '7', // rows of another version are not read; mutations are
  include: (name) => name !== 'Salary',
  outbox: outbox({ TodoResource, uploadFile }), // names that stay
})

export const controller = new Controller({
  managers: [store, revalidate()],
})
