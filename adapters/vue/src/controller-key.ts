import type { Controller } from '@roundtable/core'
import type { InjectionKey } from 'vue'

/** Under which an app provides its controller. Two copies of this package on a page agree on it. */
export const CONTROLLER: InjectionKey<Controller> = Symbol.for('@roundtable/vue')
