import { Controller, type ReadEndpoint } from '@roundtable/core'
import { createContext } from 'preact'
import { useSyncExternalStore } from 'preact/compat'
import { useCallback, useContext } from 'preact/hooks'

export const ControllerContext = createContext(new Controller())

export function useQuery<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E> | [null]
) {
  const query = useContext(ControllerContext).watch(endpoint, ...args)
  const subscribe = useCallback(query.subscribe.bind(query), [query])
  return useSyncExternalStore(subscribe, () => query.getSnapshot())
}
