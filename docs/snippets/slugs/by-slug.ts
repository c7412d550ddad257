import { Controller } from '@roundtable/core'
import { Article, getArticle, getArticles, renameArticle } from './api.js'

const controller = new Controller()
controller.setResponse(getArticles, [
  { id: 1, slug: 'rain', title: 'Rain' },
])
console.log(controller.get(Article, { slug: 'rain' })?.title) // → Rain
console.log(
  controller.watch(getArticle, { slug: 'rain' }).getSnapshot().status,
) // → ready

controller.setResponse(
  renameArticle,
  { id: 1 },
  { title: 'Heavy rain', slug: 'heavy-rain' },
  { id: 1, slug: 'heavy-rain', title: 'Heavy rain' },
)
console.log(
  controller.get(Article, { slug: 'heavy-rain' })?.id,
  controller.get(Article, { slug: 'rain' }),
) // → 1 undefined
controller.dispose()
