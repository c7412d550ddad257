import { Controller, LogoutManager } from '@roundtable/core'
import { TokenEndpoint } from './static-member.js'

export const controller = new Controller({
  managers: [
    new LogoutManager({
      handleLogout(controller) {
        TokenEndpoint.accessToken = undefined
        controller.resetEntireStore()
      },
    }),
  ],
})
