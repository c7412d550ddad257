import { Controller } from '@roundtable/core'
import { UserResource } from './api.js'

const controller = new Controller()
const user = await controller.fetch(UserResource.get, { id: 1 })
console.log(
  user.name,
  user === (await controller.fetchIfStale(UserResource.get, { id: 1 })),
) // → Leanne Graham true
controller.dispose()
