import type { LiveObserver } from '../client/live-observer.js'
import { callersIn, componentOf, frameName, isForeign, type StackFrame, stackNow } from './stack.js'

/** Finds reading components through call stacks, since frameworks do not expose them. Development only. */
export class ReaderNames {
  readonly #names = new WeakMap<LiveObserver, Set<string>>()

  /** Called when a component or a script requests an observer. */
  readonly note = (observer: LiveObserver): void => {
    const name = readerIn(stackNow())
    if (name === undefined) return
    const names = this.#names.get(observer)
    if (names === undefined) this.#names.set(observer, new Set([name]))
    else names.add(name)
  }

  of(observer: LiveObserver): readonly string[] {
    return [...(this.#names.get(observer) ?? [])]
  }
}

/**
 * Returns the component in a stack, or the function of a script that called the controller. Vue and Svelte components are
 * recognized by their files, React components by the capital letter.
 */
export function readerIn(stack: string): string | undefined {
  const callers = callersIn(stack)
  const [caller] = callers
  // A script is a reader even if a component has called it. Hooks and frameworks read for a component.
  if (caller !== undefined && !isHook(caller) && !isForeign(caller)) return frameName(caller)
  const component = callers.find((frame) => componentOf(frame) !== undefined)
  const found = component ?? callers.find((frame) => !isHook(frame))
  return found && frameName(found)
}

function isHook({ name }: StackFrame): boolean {
  return /^use[A-Z]/.test(name)
}
