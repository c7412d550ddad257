import { RestEndpoint, type RestGenerics } from '@roundtable/core'

export class TokenEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  static accessToken: string | undefined

  override async getHeaders(
    headers: Record<string, string>,
  ): Promise<HeadersInit> {
    const given = await super.getHeaders(headers)
    if (TokenEndpoint.accessToken === undefined) return given
    return { ...given, 'Access-Token': TokenEndpoint.accessToken }
  }
}

export const getProfile = new TokenEndpoint({
  urlPrefix: 'https://api.test',
  path: '/private',
})

export function signIn(token: string): void {
  TokenEndpoint.accessToken = token
}
