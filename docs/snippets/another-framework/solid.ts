import { Controller, type ReadEndpoint } from '@roundtable/core'
import {
  createContext,
  createMemo,
  createSignal,
  onCleanup,
  useContext,
} from 'solid-js'

export const ControllerContext = createContext(new Controller())

export function createQuery<E extends ReadEndpoint>(
  endpoint: E,
  args: () => Parameters<E> | [null],
) {
  const controller = useContext(ControllerContext)
  const current = createMemo(() => {
    const query = controller.watch(endpoint, ...args())
    const [snapshot, set] = createSignal(query.getSnapshot())
    onCleanup(query.subscribe(() => set(() => query.getSnapshot())))
    return snapshot
  })
  return () => current()()
}
