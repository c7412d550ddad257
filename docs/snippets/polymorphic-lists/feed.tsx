import { useSuspense } from '@roundtable/react'
import { getFeed } from './api.js'

export function Feed() {
  return (
    <ul>
      {useSuspense(getFeed).map((item) => (
        <li key={`${item.type} ${item.id}`}>
          {item.type === 'video' ? (
            <b>{item.title}</b>
          ) : (
            <img src={item.url} alt="" />
          )}
        </li>
      ))}
    </ul>
  )
}
