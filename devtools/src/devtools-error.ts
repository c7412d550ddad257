/** A recording cannot be read, or the tools cannot do something. The message tells what to do instead. */
export class DevtoolsError extends Error {
  override readonly name = 'DevtoolsError'
}
