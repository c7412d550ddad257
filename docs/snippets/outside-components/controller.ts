import { Controller } from '@roundtable/core'

export const controller = new Controller()
