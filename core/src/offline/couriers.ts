import type { Courier } from './courier.js'

/** The couriers of controllers: in a file of their own, so that code that only looks one up does not load the outbox. */
const couriers = new WeakMap<object, Courier>()

/** Returns the courier of a controller; undefined for one without an outbox. */
export function courierOf(registry: object): Courier | undefined {
  return couriers.get(registry)
}

/** Registers the courier of a controller. */
export function registerCourier(registry: object, courier: Courier): void {
  couriers.set(registry, courier)
}
