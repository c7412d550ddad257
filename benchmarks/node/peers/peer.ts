import type { Shape } from '../data/datasets.js'

/** One library as an application would use it. */
export interface Peer {
  /** As the tables call it. */
  readonly name: string
  /** The packages that it stands on. */
  readonly packages: readonly string[]
  /** The answer as the library's server would send it, freshly parsed; JSON as it is where this is left out. */
  parse?(shape: Shape, json: string): unknown
  /** An empty store for answers of one shape. */
  open(shape: Shape): Store
}

/** A store of one library, for one answer that it is given again and again. */
export interface Store {
  /** Takes an answer in, as the library does when a request comes back. The caller does not use the answer again. */
  write(answer: unknown): void
  /** The whole answer as a component gets it. */
  read(): unknown
  /** Keeps the answer needed, as a mounted component does. `onWake` is called when the component would render again. */
  mount?(onWake: () => void): void
  /** Takes in an answer about one entity of the main kind. */
  change?(entity: Entity): void
  /** Takes in another answer, with some entities of the main kind. */
  some?(entities: readonly Entity[]): void
}

/** A record of a dataset, whatever its kind. */
export type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

/** A freshly parsed answer in the form that the library's server would send. */
export function parseFor(peer: Peer, shape: Shape, json: string): unknown {
  return peer.parse === undefined ? JSON.parse(json) : peer.parse(shape, json)
}
