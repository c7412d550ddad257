import {
  Controller,
  Entity,
  LogoutManager,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
} from '@roundtable/core'

let token: string | undefined

class PrivateEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return token === undefined
      ? headers
      : { ...headers, 'Access-Token': token }
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
  // Without cookies only a token is a session, and the 401 of a guest ends none.
  requestInit: { credentials: 'omit' },
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
  token = await login({ password })
  controller.resetEntireStore()
}

export function signOut(): void {
  token = undefined
  controller.resetEntireStore()
}

/** The text for users if `signIn` fails. */
export function signInProblem(error: Error): string {
  const isRefused = error instanceof NetworkError && error.status === 401
  return isRefused
    ? 'The password is wrong.'
    : 'You cannot sign in at the moment. Please try again later.'
}
