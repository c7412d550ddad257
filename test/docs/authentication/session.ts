// session.ts
import { Controller, Entity, LogoutManager, RestEndpoint } from '@roundtable/core'
import { TokenEndpoint } from './static-member.js'

export class Me extends Entity {
  static override key = 'Me'
  name = ''

  // There is only one, and the server sends no id.
  override pk() {
    return 'me'
  }
}

export const getMe = new TokenEndpoint({ urlPrefix: 'https://api.test', path: '/private', schema: Me })

const login = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/login',
  method: 'POST',
  body: {} as { password: string },
  process: (value: { token: string }) => value.token,
})

/** Rejects with a NetworkError if the password is wrong. */
export async function signIn(password: string): Promise<void> {
  TokenEndpoint.accessToken = await login({ password })
  controller.resetEntireStore()
}

export function signOut(): void {
  TokenEndpoint.accessToken = undefined
  controller.resetEntireStore()
}

export const controller: Controller = new Controller({ managers: [new LogoutManager({ handleLogout: signOut })] })
