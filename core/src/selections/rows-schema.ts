import type { ArgsCode, EntityInterface } from '../schema/schema.js'

/** A schema whose value comes from a view of all rows of its entities. */
export interface RowsSchema {
  /** Set if the shown rows may depend on the arguments. */
  readonly usesArgs: ArgsCode | undefined
  entities(): readonly EntityInterface[]
}

/** A schema that shows rows that belong, in its order. It throws a `CallbackError` if a user's function throws. */
export interface SelectedSchema extends RowsSchema {
  /** True if rows are sorted instead of in order of arrival. */
  readonly isSorted: boolean
  belongs(row: unknown, args: readonly unknown[]): boolean
  /** Compares two rows; 0 leaves them in order of arrival. */
  order(a: unknown, b: unknown, args: readonly unknown[]): number
  /** Returns the maximum number of rows to show. */
  limitOf(args: readonly unknown[]): number
}

/** A schema that counts rows by groups. */
export interface CountedSchema extends RowsSchema {
  /** Returns the name of a row's group; undefined if the row does not count. */
  groupOf(row: unknown, args: readonly unknown[]): string | undefined
}
