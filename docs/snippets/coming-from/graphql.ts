import { Endpoint, Entity } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

async function query<Data>(
  text: string,
  variables?: object,
): Promise<Data> {
  const response = await fetch('https://api.example.com/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data
}

export const getTodos = new Endpoint(
  () => query<{ todos: unknown[] }>('{ todos { id title } }'),
  { name: 'getTodos', schema: { todos: [Todo] } },
)

export const renameTodo = new Endpoint(
  (id: string, title: string) =>
    query<{ renameTodo: unknown }>(
      'mutation ($id: ID!, $title: String!) { renameTodo(id: $id, title: $title) { id title } }',
      { id, title },
    ),
  {
    name: 'renameTodo',
    schema: { renameTodo: Todo },
    sideEffect: true,
    getOptimisticResponse: (_snapshot, id, title) => ({
      renameTodo: { id, title },
    }),
  },
)
