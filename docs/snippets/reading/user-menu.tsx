import { useDLE } from '@roundtable/react'
import { UserResource } from './api.js'

export function UserMenu({
  onChoose,
}: {
  onChoose: (userId: number) => void
}) {
  const {
    data: users,
    loading,
    error,
    refetch,
  } = useDLE(UserResource.getList)
  if (loading) return <p>Loading …</p>
  if (error) return <button onClick={refetch}>Try again</button>
  return (
    <select
      aria-label="User"
      onChange={(event) => onChoose(Number(event.target.value))}
    >
      {users.map((user) => (
        <option key={user.id} value={user.id}>
          {user.name}
        </option>
      ))}
    </select>
  )
}
