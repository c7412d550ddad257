import {
  Entity,
  RestEndpoint,
  type RestGenerics,
  resource,
} from '@roundtable/core'

/** Replace this with the source of your token: a key chain, a worker, a refresh request. */
async function getToken(): Promise<string> {
  return 't0k3n'
}

export class TokenEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  override async getHeaders(
    headers: Record<string, string>,
  ): Promise<HeadersInit> {
    return { ...headers, 'Access-Token': await getToken() }
  }
}

export class Profile extends Entity {
  static override key = 'Profile'
  id = ''
  name = ''
}

export const ProfileResource = resource({
  urlPrefix: 'https://api.test',
  path: '/private/:id',
  schema: Profile,
  Endpoint: TokenEndpoint,
})
