import { NotCarriedError } from './not-carried.js'

declare const mark: unique symbol

/** Stands for data-client's state object where a read is handed one. It has no members: reads of the controller look into its store. */
export interface State {
  readonly [mark]?: never
}

const members = 'entities endpoints results indexes meta entitiesMeta entityMeta optimistic lastReset'.split(' ')
const INSTEAD = 'read with controller.get(schema, ...args) or controller.getResponse(endpoint, ...args).'

/** A getter that refuses, and that loggers do not call: it is not enumerable. */
const refusing = (name: string): PropertyDescriptor => ({
  get(): never {
    throw new NotCarriedError(`controller.getState().${name}`, INSTEAD)
  },
})

/** The one state, as `controller.getState()` returns it. */
export const initialState: State = Object.freeze(
  Object.defineProperties({}, Object.fromEntries(members.map((name) => [name, refusing(name)]))),
)
