import type { Controller } from '../client/controller.js'
import type { Registry } from '../client/registry.js'

/** Returns a controller's internals, which its own entry points work with. */
export function hostOf(controller: Controller): Registry {
  // A controller has no other host.
  return controller['~host'] as Registry
}

/** The form of a result where classes are numbered: another process may have met them in another order. */
export function portableForm(form: string): string {
  return form.replace(/#\d+/g, '#')
}
