import type { QuerySnapshot } from '@roundtable/core'

/**
 * Returns the data of a snapshot, for readers that throw errors.
 *
 * @throws the snapshot's error, if there is one
 */
export function dataOf<Data>({ data, error }: QuerySnapshot<Data>): Data | undefined {
  if (error) throw error
  return data
}
