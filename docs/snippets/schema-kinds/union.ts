import { Controller, Entity, RestEndpoint, Union } from '@roundtable/core'

class Post extends Entity {
  static override key = 'Post'
  readonly type = 'post'
  id = 0
  text = ''
}
class Photo extends Entity {
  static override key = 'Photo'
  readonly type = 'photo'
  id = 0
  url = ''
}

const getFeed = new RestEndpoint({
  path: '/feed',
  schema: [new Union({ post: Post, photo: Photo }, 'type')],
})

const controller = new Controller()
controller.setResponse(getFeed, [
  { type: 'post', id: 1, text: 'Hello' },
  { type: 'photo', id: 1, url: '/1.png' },
])
for (const item of controller.getResponse(getFeed).data ?? []) {
  console.log(item.type === 'post' ? item.text : item.url)
}
// → Hello
// → /1.png
