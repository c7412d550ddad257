import type { ReadableAtom } from 'nanostores'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** The value of an atom, kept up to date. */
export function useAtom<Value>(atom: ReadableAtom<Value>): Readonly<ShallowRef<Value>> {
  const value = shallowRef(atom.get())
  onScopeDispose(
    atom.listen((next) => {
      value.value = next
    }),
  )
  return value
}
