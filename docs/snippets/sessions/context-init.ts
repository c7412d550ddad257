import { Entity, hookifyResource, resource } from '@roundtable/core'
import { createContext, useContext, useMemo } from 'react'

export const TokenContext = createContext('')

class Profile extends Entity {
  static override key = 'Profile'
  id = ''
  name = ''
}

const ProfileResource = resource({
  urlPrefix: 'https://api.test',
  path: '/private/:id',
  schema: Profile,
})

export const ProfileHooks = hookifyResource(
  ProfileResource,
  (): RequestInit => {
    const token = useContext(TokenContext)
    return useMemo(() => ({ headers: { 'Access-Token': token } }), [token])
  },
)
