import { Controller, revalidate } from '@roundtable/core'
import { network } from './device/network.js'
import { store } from './device/store.js'

/** The one table of the page: all four panels sit at it. */
export const controller: Controller = new Controller(
  store === undefined ? {} : { ...network, managers: [store, revalidate()] },
)
