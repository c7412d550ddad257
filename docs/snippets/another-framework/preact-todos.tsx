/** @jsxImportSource preact */
import { useContext } from 'preact/hooks'
import { TodoResource } from './api.js'
import { ControllerContext, useQuery } from './preact.js'

export function Todos({ userId }: { userId: number }) {
  const { data: todos, loading } = useQuery(TodoResource.getList, {
    userId,
  })
  const controller = useContext(ControllerContext)
  const remove = (id: number) =>
    controller.fetch(TodoResource.delete, { id })
  if (loading) return <p>Loading …</p>
  return (
    <ul>
      {todos?.map(({ id, title }) => (
        <li key={id}>
          {title} <button onClick={() => remove(id)}>Delete</button>
        </li>
      ))}
    </ul>
  )
}
