import { Controller, NetworkError } from '@roundtable/core'
import { TodoResource } from './api.js'

/** The problems of each field, from a server that responds with 422 and `{ "errors": { "title": "is empty" } }`. */
export async function problemsOf(
  error: unknown,
): Promise<Record<string, string>> {
  if (!(error instanceof NetworkError) || error.status !== 422) return {}
  const body = (await error.body()) as { errors?: Record<string, string> }
  return body.errors ?? {}
}

// The server of this example.
const transport = async () =>
  Response.json({ errors: { title: 'is empty' } }, { status: 422 })
const controller = new Controller({ transport })
try {
  await controller.fetch(TodoResource.create, { title: '' })
} catch (error) {
  console.log((await problemsOf(error)).title) // → is empty
}
controller.dispose()
