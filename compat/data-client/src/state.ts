import { NotCarriedError } from './not-carried.js'

declare const mark: unique symbol

/** Stands for data-client's state object where a read is handed one. It has no members: reads of the controller look into its store. */
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

/** The one state, as `controller.getState()` returns it. It shows nothing to loggers. */
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
