import { NotCarriedError } from './not-carried.js'

declare const mark: unique symbol

/** A placeholder for data-client's state object, which reads accept. It is empty: the controller reads its own store. */
export interface State {
  readonly [mark]?: never
}

const members = 'entities endpoints results indexes meta entitiesMeta entityMeta optimistic lastReset'.split(' ')
const INSTEAD = 'read with controller.get(schema, ...args) or controller.getResponse(endpoint, ...args).'

/** Returns a getter that throws. It is not enumerable, so that loggers do not call it. */
const refusing = (name: string): PropertyDescriptor => ({
  get(): never {
    throw new NotCarriedError(`controller.getState().${name}`, INSTEAD)
  },
})

/** The only state, which `controller.getState()` returns. */
export const initialState: State = Object.freeze(
  Object.defineProperties({}, Object.fromEntries(members.map((name) => [name, refusing(name)]))),
)
