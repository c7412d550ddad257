import { RestEndpoint, type RestGenerics } from '@roundtable/core'
import { createContext, useContext, useMemo } from 'react'

export const TokenContext = createContext('')

export class TokenEndpoint<
  O extends RestGenerics = RestGenerics,
> extends RestEndpoint<O> {
  accessToken = ''

  override async getHeaders(
    headers: Record<string, string>,
  ): Promise<HeadersInit> {
    return { ...headers, 'Access-Token': this.accessToken }
  }
}

const getProfile = new TokenEndpoint({
  urlPrefix: 'https://api.test',
  path: '/private',
})

export function useProfileEndpoint() {
  const accessToken = useContext(TokenContext)
  return useMemo(() => getProfile.extend({ accessToken }), [accessToken])
}
