import type { Controller } from '@roundtable/core'

declare global {
  namespace App {
    interface Locals {
      controller: Controller
    }
  }
}
