/**
 * A description cannot be read. `places` contains each mistake with its file and JSON pointer.
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
  /** The mistakes with their places. */
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
  /** The problem and the remedy. */
  readonly message: string
}
