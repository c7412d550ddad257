import { RestEndpoint, type RestGenerics } from '@roundtable/core'

export class SessionEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return {
      ...(await super.getRequestInit(body)),
      credentials: 'same-origin',
    }
  }
}

export const login = new SessionEndpoint({
  urlPrefix: 'https://api.test',
  path: '/login',
  method: 'POST',
  body: {} as { password: string },
})

export const getProfile = new SessionEndpoint({
  urlPrefix: 'https://api.test',
  path: '/session',
})
