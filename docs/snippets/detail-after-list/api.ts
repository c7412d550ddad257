import {
  Collection,
  Entity,
  RestEndpoint,
  validateRequired,
} from '@roundtable/core'

/** An article as lists have it. */
export class Headline extends Entity {
  static override key = 'Article'
  id = 0
  title = ''
}

/** The same rows, for those who need the text. */
export class Article extends Headline {
  text = ''

  static override validate(processed: Readonly<Record<string, unknown>>) {
    return validateRequired(processed, { text: '' })
  }
}

const urlPrefix = 'https://api.example.com'
export const getHeadlines = new RestEndpoint({
  urlPrefix,
  path: '/articles',
  schema: new Collection([Headline]),
})
export const getArticle = new RestEndpoint({
  urlPrefix,
  path: '/articles/:id',
  schema: Article,
})
