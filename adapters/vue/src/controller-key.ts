import type { Controller, ErrorWithStatus } from '@roundtable/core'
import type { InjectionKey, Ref, VNode } from 'vue'

/** The injection key of an app's controller. Two copies of this package on a page share it. */
export const CONTROLLER: InjectionKey<Controller> = Symbol.for('@roundtable/vue')

/** The injection key of an app whose server waits for `useDLE`. */
export const PREFETCH: InjectionKey<boolean> = Symbol.for('@roundtable/vue/prefetch')

/** The function with which boundaries of an app show errors of a server. */
export type ServerErrors = (
  isServer: boolean,
  shown: (error: ErrorWithStatus) => VNode[],
  boundary: { readonly onError?: ((error: ErrorWithStatus) => void) | undefined },
) => Readonly<Ref<boolean>>

/** The injection key of an app whose boundaries show errors of a server. */
export const SERVER_ERRORS: InjectionKey<ServerErrors> = Symbol.for('@roundtable/vue/server-errors')
