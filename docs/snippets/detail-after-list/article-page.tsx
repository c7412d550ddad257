import { useDLE, useQuery } from '@roundtable/react'
import { getArticle, Headline } from './api.js'

export function ArticlePage({ id }: { id: number }) {
  const headline = useQuery(Headline, { id })
  const { data: article, error } = useDLE(getArticle, { id })
  return (
    <article>
      <h1>{headline?.title}</h1>
      <p>{error ? error.message : (article?.text ?? 'Loading …')}</p>
    </article>
  )
}
