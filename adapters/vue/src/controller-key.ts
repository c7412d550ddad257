import type { Controller } from '@roundtable/core'
import type { InjectionKey } from 'vue'

/** The injection key of an app's controller. Two copies of this package on a page share it. */
export const CONTROLLER: InjectionKey<Controller> = Symbol.for('@roundtable/vue')
