import { Controller } from '@roundtable/core'

/** The one table of the page: all four panels sit at it. */
export const controller: Controller = new Controller()
