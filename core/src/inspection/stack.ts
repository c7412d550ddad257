/** The number of captured frames, enough for the application's hooks between ours and the component. */
const FRAMES = 40

/** A call in a stack. */
export interface StackFrame {
  /** The name of the function; empty if it has none. */
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

/** Returns the stack of the caller, innermost frame first. */
export function stackNow(): string {
  // Only V8 has this limit.
  const errors = Error as { stackTraceLimit?: number }
  const before = errors.stackTraceLimit
  errors.stackTraceLimit = FRAMES
  const { stack = '' } = new Error('a reader')
  if (before !== undefined) errors.stackTraceLimit = before
  return stack
}

/** Returns the frames outside of this library that led to a call of the controller, innermost first. */
export function callersIn(stack: string): readonly StackFrame[] {
  const frames = stack.split('\n').flatMap(frameOf)
  const ours = frames.filter(({ name }) => /^Controller\b/.test(name)).at(-1)
  return frames
    .slice(ours === undefined ? 0 : frames.indexOf(ours) + 1)
    .filter(({ file }) => file !== ours?.file && !OURS.test(file))
}

/** True for code of installed packages, of the runtime or of a development server. */
export function isForeign({ file }: StackFrame): boolean {
  return /\/node_modules\/|^(?:node:|<|native$|index \d)|\/@(?:vite\/|react-refresh$)/.test(file)
}

/** Returns the component of a frame: a file of Vue or Svelte, or a function with a capital letter. */
export function componentOf({ name, file }: StackFrame): string | undefined {
  const [, component] = /([^/\\]+)\.(?:vue|svelte)$/.exec(file) ?? []
  return component ?? (/^[A-Z]\w*$/.test(name) ? name : undefined)
}

/** Returns the component of a frame, or else its function, or its file if the function has no name of its own. */
export function frameName(frame: StackFrame): string | undefined {
  const isNameless = /^(?:setup)?$|<anonymous>/.test(frame.name)
  return componentOf(frame) ?? (isNameless ? frame.file.split(/[/\\]/).at(-1) : frame.name)
}

/** Parses a line of Chromium and Node, `at name (file:1:2)`, or of Firefox and Safari, `name@file:1:2`. */
function frameOf(text: string): StackFrame[] {
  const [, v8, v8Address, bare] = /^\s+at (?:async )?(?:(.+) \((.*)\)|(\S+))$/.exec(text) ?? []
  const [, other = '', otherAddress] = /^([^@]*)@(.*)$/.exec(text) ?? []
  const address = v8Address ?? bare ?? otherAddress
  if (address === undefined) return []
  const [, url = address, line = 0, column = 0] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(address) ?? []
  const name = v8 ?? (bare === undefined ? other : '')
  return [{ name, url, file: url.replace(/\?.*$/, ''), line: Number(line), column: Number(column) }]
}
