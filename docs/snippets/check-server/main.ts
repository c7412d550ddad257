import { backend } from '@roundtable/core/backend'
import { checkServer } from '@roundtable/core/check'
import { TodoResource } from './api.js'

const { fetch } = backend(
  { TodoResource },
  { seed: { Todo: [{ id: 1, userId: 1, title: 'Milk', done: false }] } },
)

const results = await checkServer(TodoResource, {
  filters: ['userId'],
  // A server that responds with null instead of 404.
  transport: async (url, init) => {
    const response = await fetch(url, init)
    return response.status === 404 ? Response.json(null) : response
  },
})
for (const { rule, verdict, detail } of results) {
  if (verdict === 'fails') console.log(`${rule}: ${detail}`)
}
// → item-404: GET https://api.example.com/todos/1000004 responded with 200 for a row that does not exist, not 404.
