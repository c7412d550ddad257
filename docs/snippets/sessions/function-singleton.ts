import { RestEndpoint } from '@roundtable/core'

export const auth = { token: '' }

function getToken(): string {
  return auth.token
}

export const getProfile = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/private',
  getHeaders: (headers) => ({ ...headers, 'Access-Token': getToken() }),
})
