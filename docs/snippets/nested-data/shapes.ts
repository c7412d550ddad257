import {
  Collection,
  Controller,
  Entity,
  RestEndpoint,
  Union,
  Values,
} from '@roundtable/core'
import { Issue, User } from './api.js'

class Photo extends Entity {
  static override key = 'Photo'
  type = 'photo'
  id = 0
}

class Video extends Entity {
  static override key = 'Video'
  type = 'video'
  id = 0
}

const getSearch = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/search',
  schema: {
    issues: new Collection([Issue]), // a list that mutations can add to
    authors: new Values(User), // a map: { ann: {...}, bob: {...} }
    newest: new Union({ photo: Photo, video: Video }, 'type'), // one of several entities, chosen by `type`
    total: 0, // a plain value; only its type matters here
  },
})

const controller = new Controller()
controller.setResponse(getSearch, {
  issues: [{ id: 1, title: 'Broken' }],
  authors: { ann: { id: 7, name: 'Ann' } },
  newest: { type: 'photo', id: 9 },
  total: 1,
})
const found = controller.getResponse(getSearch).data
console.log(
  found?.issues?.length,
  found?.authors.ann?.name,
  found?.newest instanceof Photo,
  found?.total,
) // → 1 Ann true 1
controller.dispose()
