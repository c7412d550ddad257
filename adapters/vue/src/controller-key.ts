import type { Controller } from '@roundtable/core'
import type { InjectionKey } from 'vue'

/** The injection key of an app's controller. Two copies of this package on a page share it. */
export const CONTROLLER: InjectionKey<Controller> = Symbol.for('@roundtable/vue')

/** The injection key of an app whose server waits for `useDLE`. */
export const PREFETCH: InjectionKey<boolean> = Symbol.for('@roundtable/vue/prefetch')
