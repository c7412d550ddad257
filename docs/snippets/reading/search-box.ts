import { Controller, follower, keepPrevious } from '@roundtable/core'
import { searchTodos } from './api.js'

const controller = new Controller()
const follow = follower()

async function search(q: string) {
  const found = follow(controller.watch(keepPrevious(searchTodos), { q }))
  console.log('At once:', found.getSnapshot().data?.length)
  await found.load()
  console.log(`With "${q}":`, found.getSnapshot().data?.length)
}

await search('quis')
// → At once: undefined
// → With "quis": 1
await search('qui')
// → At once: 1
// → With "qui": 7
