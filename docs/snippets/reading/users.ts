import { Controller } from '@roundtable/core'
import { UserResource } from './api.js'

const controller = new Controller()
const user = controller.watch(UserResource.get, { id: 1 })
console.log(user.getSnapshot().status) // → pending

const stop = user.subscribe(() => {
  const { status, data, error } = user.getSnapshot()
  if (status === 'ready') console.log(data.name)
  if (status === 'failed') console.log(error.message)
})
await user.load() // → Leanne Graham
stop()
controller.dispose()
