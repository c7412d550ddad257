import { Endpoint, Entity } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

async function loadTodos(folder: string): Promise<unknown> {
  const response = await fetch(`https://api.example.com/${folder}`)
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

export const getTodos = new Endpoint(loadTodos, {
  name: 'loadTodos',
  schema: [Todo],
  dataExpiryLength: 10_000,
})
