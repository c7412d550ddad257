import { Collection as Core } from '@roundtable/core'
import { warnOfAutomaticValidation } from './automatic-validation.js'
import { NotCarriedError } from './not-carried.js'

/** Methods of a subclass that are not called here, with their replacements. */
const methods: Readonly<Record<string, string>> = {
  merge: 'a response replaces the list; addWith(merge) places new members, and getPage adds pages.',
  mergeWithStore: 'lists follow the order of requests; addWith(merge) places new members.',
  shouldReorder: 'lists follow the order of requests.',
  pk: 'argsKey and nestKey return the arguments that identify a list.',
}

/** A Collection in which arguments whose names start with `order` do not filter, as in data-client. */
class CompatCollection extends Core<readonly [never]> {
  constructor(schema: readonly [never], options?: object) {
    for (const [name, instead] of Object.entries(methods))
      if (name in new.target.prototype) throw new NotCarriedError(`${name} of a Collection's subclass`, instead)
    super(schema, options)
    warnOfAutomaticValidation(schema)
  }

  override nonFilterArgumentKeys(name: string): boolean {
    return name.startsWith('order')
  }
}

/**
 * Roundtable's Collection, in which arguments whose names start with `order` do not filter the members. A subclass that
 * overrides a method which is not called here throws a `NotCarriedError`.
 */
export const Collection: typeof Core = CompatCollection as never
/** A list of rows. */
export type Collection = InstanceType<typeof Core>
