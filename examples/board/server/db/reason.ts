/** Says in words why something failed. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (error instanceof Error && error.message) return error.message
  // The embedded engine's file system throws bare numbers of errors.
  if (typeof error === 'object' && error !== null && 'errno' in error) return `file system error ${error.errno}`
  return String(error)
}
