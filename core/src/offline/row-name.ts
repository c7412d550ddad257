/** Returns the name of a row in an entry of the outbox. */
export function rowName(kind: string, pk: string): string {
  return `${kind} ${pk}`
}
