import type { QuerySnapshot } from '@roundtable/core'

/**
 * The data of a snapshot.
 *
 * @throws what it failed with
 */
export function dataOf<Data>({ data, error }: QuerySnapshot<Data>): Data | undefined {
  if (error) throw error
  return data
}
