/** How many frames are captured: hooks of an application that call each other lie between ours and the component. */
const FRAMES = 40

/** A call in a stack. */
export interface StackFrame {
  /** The name of the function; empty for one without. */
  readonly name: string
  /** The address of its source. */
  readonly url: string
  /** The address without the parameters that a development server adds. */
  readonly file: string
  /** Counted from 1; 0 if the stack does not tell. */
  readonly line: number
  /** Counted from 1; 0 if the stack does not tell. */
  readonly column: number
}

/** The packages of this library, installed or in its repository. */
const OURS = /@roundtable\b|\/(?:core|adapters\/\w+)\/(?:src|dist)\//

/** The stack of the caller, innermost frame first. */
export function stackNow(): string {
  // Only V8 has a limit.
  const errors = Error as { stackTraceLimit?: number }
  const before = errors.stackTraceLimit
  errors.stackTraceLimit = FRAMES
  const { stack = '' } = new Error('a reader')
  if (before !== undefined) errors.stackTraceLimit = before
  return stack
}

/** The frames outside of this library that led to a call of the controller, innermost first. */
export function callersIn(stack: string): readonly StackFrame[] {
  const frames = stack.split('\n').flatMap(frameOf)
  const ours = frames.filter(({ name }) => /^Controller\b/.test(name)).at(-1)
  return frames
    .slice(ours === undefined ? 0 : frames.indexOf(ours) + 1)
    .filter(({ file }) => file !== ours?.file && !OURS.test(file))
}

/** True for code that the application has installed, or that its runtime or its development server brings. */
export function isForeign({ file }: StackFrame): boolean {
  return /\/node_modules\/|^(?:node:|<|native$|index \d)|\/@(?:vite\/|react-refresh$)/.test(file)
}

/** The component that a frame belongs to: a file of Vue or Svelte, or a function with a capital letter. */
export function componentOf({ name, file }: StackFrame): string | undefined {
  const [, component] = /([^/\\]+)\.(?:vue|svelte)$/.exec(file) ?? []
  return component ?? (/^[A-Z]\w*$/.test(name) ? name : undefined)
}

/** The component of a frame, else its function; a function without a name, or with one that frameworks gave it, is called as its file. */
export function frameName(frame: StackFrame): string | undefined {
  const isNameless = /^(?:setup)?$|<anonymous>/.test(frame.name)
  return componentOf(frame) ?? (isNameless ? frame.file.split(/[/\\]/).at(-1) : frame.name)
}

/** Reads a line as Chromium and Node write it, `at name (file:1:2)`, or as Firefox and Safari do, `name@file:1:2`. */
function frameOf(text: string): StackFrame[] {
  const [, v8, v8Address, bare] = /^\s+at (?:async )?(?:(.+) \((.*)\)|(\S+))$/.exec(text) ?? []
  const [, other = '', otherAddress] = /^([^@]*)@(.*)$/.exec(text) ?? []
  const address = v8Address ?? bare ?? otherAddress
  if (address === undefined) return []
  const [, url = address, line = 0, column = 0] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(address) ?? []
  const name = v8 ?? (bare === undefined ? other : '')
  return [{ name, url, file: url.replace(/\?.*$/, ''), line: Number(line), column: Number(column) }]
}
