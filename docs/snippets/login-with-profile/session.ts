import {
  Controller,
  Entity,
  LogoutManager,
  RestEndpoint,
  type RestGenerics,
} from '@roundtable/core'

let accessToken: string | undefined

class PrivateEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return accessToken === undefined
      ? headers
      : { ...headers, 'Access-Token': accessToken }
  }
}

export class Me extends Entity {
  static override key = 'Me'
  name = ''

  // There is only one, and the server sends no id.
  override pk() {
    return 'me'
  }
}

export const getMe = new PrivateEndpoint({
  urlPrefix: 'https://api.test',
  path: '/private',
  schema: Me,
})

const login = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/login',
  method: 'POST',
  body: {} as { password: string },
  process: (value: { token: string }) => value.token,
})

export const controller: Controller = new Controller({
  managers: [new LogoutManager({ handleLogout: signOut })],
})

/** Rejects with a NetworkError if the password is wrong. */
export async function signIn(password: string): Promise<void> {
  accessToken = await login({ password })
  controller.resetEntireStore()
}

export function signOut(): void {
  accessToken = undefined
  controller.resetEntireStore()
}
