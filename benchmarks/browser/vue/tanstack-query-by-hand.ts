import type { App } from '../page/app.js'
import { byHand } from '../tanstack.js'
import { queryApp } from './tanstack-query.js'

/** TanStack Query in Vue, whose cached answers are changed by hand. */
export const app: App = queryApp(byHand)
