/**
 * Whether something is shown before the server has heard of it: until it has the server's number, its id is a placeholder,
 * which is a text.
 */
export function isNew({ id }: { readonly id: unknown }): boolean {
  return typeof id !== 'number'
}
