import { Collection, Entity, RestEndpoint, Union } from '@roundtable/core'

export class Photo extends Entity {
  static override key = 'Photo'
  type = 'photo' as const
  id = 0
  url = ''
}

export class Video extends Entity {
  static override key = 'Video'
  type = 'video' as const
  id = 0
  title = ''
  seconds = 0
}

const item = new Union({ photo: Photo, video: Video }, 'type')

export const getFeed = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/feed',
  schema: new Collection([item]),
})
