import type { ArgsCode, EntityInterface } from '../schema/schema.js'

/** A schema that is shown by a view of all rows of its entities. */
export interface RowsSchema {
  /** Set if the shown rows may depend on the arguments. */
  readonly usesArgs: ArgsCode | undefined
  entities(): readonly EntityInterface[]
}

/** A schema that shows rows that belong, in its order. All functions throw a `CallbackError` if the user's do. */
export interface SelectedSchema extends RowsSchema {
  /** True if rows are not in the order in which they came. */
  readonly isSorted: boolean
  belongs(row: unknown, args: readonly unknown[]): boolean
  /** Compares two rows; 0 leaves them in the order in which they came. */
  order(a: unknown, b: unknown, args: readonly unknown[]): number
  /** The number of rows to show at most. */
  limitOf(args: readonly unknown[]): number
}

/** A schema that counts rows by groups. */
export interface CountedSchema extends RowsSchema {
  /** The name of a row's group; undefined if the row does not count. */
  groupOf(row: unknown, args: readonly unknown[]): string | undefined
}
