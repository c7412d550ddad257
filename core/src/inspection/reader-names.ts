import type { LiveObserver } from '../client/live-observer.js'

/** How many frames are looked at: hooks of an application that call each other lie between ours and the component. */
const FRAMES = 40

interface StackFrame {
  /** The name of the function; empty for one without. */
  readonly name: string
  /** The address of its source. */
  readonly file: string
}

/** Which components read what, found in the stacks of their calls: frameworks do not tell. Development only. */
export class ReaderNames {
  readonly #names = new WeakMap<LiveObserver, Set<string>>()

  /** A component, or a script, asks for an observer. */
  readonly note = (observer: LiveObserver): void => {
    const name = readerIn(stackNow())
    if (name === undefined) return
    const known = this.#names.get(observer)
    if (known === undefined) this.#names.set(observer, new Set([name]))
    else known.add(name)
  }

  of(observer: LiveObserver): readonly string[] {
    return [...(this.#names.get(observer) ?? [])]
  }
}

function stackNow(): string {
  // Only V8 has a limit.
  const errors = Error as { stackTraceLimit?: number }
  const before = errors.stackTraceLimit
  errors.stackTraceLimit = FRAMES
  const { stack = '' } = new Error('a reader')
  if (before !== undefined) errors.stackTraceLimit = before
  return stack
}

/** The packages of this library, installed or in its repository. */
const OURS = /@roundtable\b|\/(?:core|adapters\/\w+)\/(?:src|dist)\//

/**
 * The component in a stack, or the function of a script that called the controller: a file of Vue or Svelte is called as that file, a
 * component of React is a function with a capital letter.
 */
export function readerIn(stack: string): string | undefined {
  const frames = stack.split('\n').flatMap(frameOf)
  const ours = frames.filter(({ name }) => /^Controller\b/.test(name)).at(-1)
  const callers = frames
    .slice(ours === undefined ? 0 : frames.indexOf(ours) + 1)
    .filter(({ file }) => file !== ours?.file && !OURS.test(file))
  const [caller] = callers
  // A script reads by itself, whichever component has called it. Hooks and frameworks read for a component.
  if (caller !== undefined && !isHook(caller) && !/\/node_modules\//.test(caller.file)) return frameName(caller)
  const component = callers.find((frame) => componentOf(frame) !== undefined)
  const reader = component ?? callers.find((frame) => !isHook(frame))
  return reader && frameName(reader)
}

function isHook({ name }: StackFrame): boolean {
  return /^use[A-Z]/.test(name)
}

function componentOf({ name, file }: StackFrame): string | undefined {
  const [, component] = /([^/\\]+)\.(?:vue|svelte)$/.exec(file) ?? []
  return component ?? (/^[A-Z]\w*$/.test(name) ? name : undefined)
}

/** What has no name, or is called as frameworks call it, is called as its file. */
function frameName(frame: StackFrame): string | undefined {
  const isNameless = /^(?:setup)?$|<anonymous>/.test(frame.name)
  return componentOf(frame) ?? (isNameless ? frame.file.split(/[/\\]/).at(-1) : frame.name)
}

/** A line as Chromium and Node write it, `at name (file:1:2)`, or as Firefox and Safari do, `name@file:1:2`. */
function frameOf(line: string): StackFrame[] {
  const [, v8, v8File, bare] = /^\s+at (?:(.+) \((.*)\)|(\S+))$/.exec(line) ?? []
  const [, other = '', otherFile] = /^([^@]*)@(.*)$/.exec(line) ?? []
  const address = v8File ?? bare ?? otherFile
  if (address === undefined) return []
  return [
    { name: v8 ?? (bare === undefined ? other : ''), file: address.replace(/(?::\d+)*$/, '').replace(/\?.*$/, '') },
  ]
}
