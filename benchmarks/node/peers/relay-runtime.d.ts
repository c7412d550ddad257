/** What the adapter needs of relay-runtime, whose own types are Flow's. */
declare module 'relay-runtime' {
  export interface Operation {
    readonly fragment: object
  }
  export interface RecordProxy {
    setValue(value: unknown, name: string): void
  }
  export class RecordSource {}
  export class Store {
    constructor(source: RecordSource)
  }
  export class Environment {
    constructor(options: {
      readonly network: object
      readonly store: Store
      readonly getDataID?: (record: { readonly id: string }, type: string) => string
    })
    retain(operation: Operation): void
    commitPayload(operation: Operation, payload: Record<string, unknown>): void
    lookup(selector: object): { readonly data: unknown }
    subscribe(snapshot: object, callback: () => void): void
  }
  export const Network: { create(fetch: () => never): object }
  export function createOperationDescriptor(request: object, variables: object): Operation
  export function commitLocalUpdate(
    environment: Environment,
    update: (store: { get(id: string): RecordProxy | null }) => void,
  ): void
}
