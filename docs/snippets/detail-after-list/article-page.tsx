import { useDLE, useQuery } from '@roundtable/react'
import { getArticle, Headline } from './api.js'
import { errorText } from './error-text.js'

export function ArticlePage({ id }: { id: number }) {
  const headline = useQuery(Headline, { id })
  const { data: article, error } = useDLE(getArticle, { id })
  return (
    <article>
      <h1>{headline?.title}</h1>
      <p>{error ? errorText(error) : (article?.text ?? 'Loading …')}</p>
    </article>
  )
}
