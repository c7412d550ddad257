import { NotCarriedError } from './not-carried.js'

declare const mark: unique symbol

/** A placeholder for data-client's state object, which reads accept. It is empty: the controller reads its own store. */
export interface State {
  readonly [mark]?: never
}

const members = [
  'entities',
  'endpoints',
  'results',
  'indexes',
  'meta',
  'entitiesMeta',
  'entityMeta',
  'optimistic',
  'lastReset',
]

/** The only state, which `controller.getState()` returns. It contains nothing for loggers. */
export const initialState: State = Object.freeze(
  Object.defineProperties(
    {},
    Object.fromEntries(
      members.map((name) => [
        name,
        {
          get(): never {
            throw new NotCarriedError(
              `controller.getState().${name}`,
              'read with controller.get(schema, ...args) or controller.getResponse(endpoint, ...args).',
            )
          },
        },
      ]),
    ),
  ),
)
