import { Controller } from '@roundtable/core'
import { Article, getArticle, getHeadlines, Headline } from './api.js'

const controller = new Controller()
controller.setResponse(getHeadlines, [{ id: 1, title: 'Rain' }])

console.log(
  controller.get(Headline, { id: 1 })?.title,
  controller.get(Article, { id: 1 }),
) // → Rain undefined
console.log(controller.watch(getArticle, { id: 1 }).getSnapshot().status) // → pending

controller.setResponse(
  getArticle,
  { id: 1 },
  { id: 1, title: 'Heavy rain', text: 'It rained.' },
)
console.log(
  controller.watch(getArticle, { id: 1 }).getSnapshot().data?.text,
) // → It rained.
console.log(controller.getResponse(getHeadlines).data?.[0]?.title) // → Heavy rain
controller.dispose()
