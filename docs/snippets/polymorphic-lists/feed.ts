import { Controller } from '@roundtable/core'
import { getFeed, Video } from './api.js'

const controller = new Controller()
controller.setResponse(getFeed, [
  { type: 'photo', id: 1, url: '/1.jpg' },
  { type: 'video', id: 1, title: 'Rain', seconds: 90 }, // another row than the photo: each kind has its own keys
])
const describe = () =>
  controller
    .getResponse(getFeed)
    .data?.map((item) =>
      item.type === 'video' ? `${item.title}, ${item.seconds} s` : item.url,
    )
console.log(describe()) // → [ '/1.jpg', 'Rain, 90 s' ]

controller.set(Video, { id: 1 }, { title: 'Heavy rain' })
console.log(describe()) // → [ '/1.jpg', 'Heavy rain, 90 s' ]

controller.setResponse(
  getFeed.unshift,
  { type: 'photo' },
  { type: 'photo', id: 2, url: '/2.jpg' },
)
console.log(describe()) // → [ '/2.jpg', '/1.jpg', 'Heavy rain, 90 s' ]
controller.dispose()
