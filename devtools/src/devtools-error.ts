/** A recording that cannot be read, or something that the tools cannot do. The message says what to do instead. */
export class DevtoolsError extends Error {
  override readonly name = 'DevtoolsError'
}
