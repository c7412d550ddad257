import { useController, useSuspense } from '@roundtable/react'
import { BookResource } from './api/roundtable.gen.js'

export function Books() {
  const books = useSuspense(BookResource.getList, { read: false })
  const controller = useController()
  const add = () =>
    controller.fetch(BookResource.create, {
      title: 'Middlemarch',
      read: false,
    })
  return (
    <>
      <ul>
        {books.map(({ id, title, author }) => (
          <li key={id}>
            {title}
            {author && `, by ${author.name}`}
            <button
              onClick={() => controller.fetch(BookResource.delete, { id })}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <button onClick={add}>Add</button>
    </>
  )
}
