'use client'
import { type Dehydrated, type HydrateOptions, hydrate } from '@roundtable/core/hydration'
import * as React from 'react'
import { useController } from './use-controller.js'

/** The props of `Hydrate`. */
export interface HydrateProps extends Pick<HydrateOptions, 'age' | 'buster' | 'since'> {
  /** The result of `dehydrate` on the server, such as the data of a route's loader; undefined for none. */
  readonly state: Dehydrated | undefined
  readonly children?: React.ReactNode
}

/**
 * Adds the state of a server to the provided controller, so that all components inside have their data at the first
 * render.
 *
 * @remarks
 * During render it adds only missing data; the rest follows in an effect, before readers decide whether to fetch. So
 * an abandoned navigation changes nothing on the screen. The same `state` object is read once.
 *
 * @example
 * ```tsx
 * function Route({ loaderData }: { loaderData: { state: Dehydrated } }) {
 *   return (
 *     <Hydrate state={loaderData.state}>
 *       <Todos />
 *     </Hydrate>
 *   )
 * }
 * ```
 */
export function Hydrate({ state, children, age, buster, since }: HydrateProps): React.ReactNode {
  const controller = useController()
  // The result is used, since React Compiler would drop the call otherwise.
  const ready = React.useMemo(
    () => hydrate(controller, state, { age, buster, since, isRendering: true }),
    [controller, state, age, buster, since],
  )
  React.useEffect(() => void hydrate(ready, state, { age, buster, since }), [ready, state, age, buster, since])
  return children
}
