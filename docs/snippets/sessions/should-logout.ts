import { Controller, LogoutManager, NetworkError } from '@roundtable/core'

export const controller = new Controller({
  managers: [
    new LogoutManager({
      shouldLogout: (error, request) =>
        error instanceof NetworkError &&
        error.status === 401 &&
        !request.key.endsWith('/login'),
    }),
  ],
})
