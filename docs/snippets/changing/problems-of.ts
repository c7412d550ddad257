import { NetworkError } from '@roundtable/core'

/** The problems of a form, by its fields. Throws any other error on. */
export async function problemsOf(
  error: unknown,
): Promise<Partial<Record<string, string>>> {
  if (!(error instanceof NetworkError) || error.status !== 422) throw error
  // This server responds with { "errors": { "title": "Too short" } }.
  const { errors } = (await error.body()) as {
    errors: Record<string, string>
  }
  return errors
}
