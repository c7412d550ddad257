import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Article extends Entity {
  static override key = 'Article'
  static override indexes = ['slug'] as const
  id = 0
  slug = ''
  title = ''
}

const urlPrefix = 'https://api.example.com'
export const getArticles = new RestEndpoint({
  urlPrefix,
  path: '/articles',
  schema: new Collection([Article]),
})
export const getArticle = new RestEndpoint({
  urlPrefix,
  path: '/articles/:slug',
  schema: Article,
})
export const renameArticle = new RestEndpoint({
  urlPrefix,
  path: '/articles/:id',
  method: 'PATCH',
  body: {} as { title: string; slug: string },
  schema: Article,
})
