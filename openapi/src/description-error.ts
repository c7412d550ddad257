/**
 * A description that cannot be read, with the place: the file, and the JSON pointer of the value in it.
 *
 * @example
 * ```ts
 * try {
 *   await generate({ input: 'openapi.json', output: 'src/api' })
 * } catch (error) {
 *   if (error instanceof DescriptionError) console.error(error.places)
 * }
 * ```
 */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'
  /** What is wrong, and where: there may be several mistakes. */
  readonly places: readonly Place[]

  constructor(places: readonly Place[], options?: ErrorOptions) {
    super(places.map(({ at, message }) => `${at}: ${message}`).join('\n'), options)
    this.places = places
  }
}

/** One mistake, and its place. */
export interface Place {
  /** The file, and the JSON pointer behind a `#`: `openapi.json#/paths/~1pets/get`. */
  readonly at: string
  /** What is wrong, and what to do. */
  readonly message: string
}
