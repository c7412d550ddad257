import type { Dehydrated } from './state.js'

/** The default id of the script with the state. */
const SCRIPT_ID = 'roundtable-state'

/** The options of `toScript`. */
export interface ScriptOptions {
  /**
   * The id of the script element.
   *
   * @default 'roundtable-state'
   */
  readonly id?: string | undefined
  /**
   * A nonce of the page's Content Security Policy. `script-src` alone does not require one, since the script is data and
   * never runs.
   *
   * @default undefined
   */
  readonly nonce?: string | undefined
  /**
   * Converts a state to text. For values that are not JSON, such as dates created by `process`, pass the function of devalue
   * or seroval, and its counterpart as `parse` to `hydrate`.
   *
   * @default JSON.stringify
   */
  readonly stringify?: ((state: Dehydrated) => string) | undefined
}

/**
 * Returns a script element with a state, for a page's HTML. Characters that could end the script or start a comment are
 * escaped, and the type is `application/json`, so browsers do not run it.
 *
 * @example
 * ```ts
 * const html = `<div id="root"></div>${toScript(dehydrate(controller))}`
 * ```
 */
export function toScript(
  state: Dehydrated,
  { id = SCRIPT_ID, nonce, stringify = stringifyJson }: ScriptOptions = {},
): string {
  const attributes = nonce === undefined ? '' : ` nonce="${attribute(nonce)}"`
  return `<script type="application/json" id="${attribute(id)}"${attributes}>${escapeState(stringify(state))}</script>`
}

/**
 * Returns the text of the script that `toScript` created, for `hydrate`; undefined if the page has none, or on a server.
 *
 * @example
 * ```ts
 * const controller = hydrate(new Controller(), fromDocument())
 * ```
 */
export function fromDocument(id: string = SCRIPT_ID): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.getElementById(id)?.textContent ?? undefined
}

/** Escapes characters that end a script or a line of JavaScript, or start a comment. In JSON only strings have them. */
export function escapeState(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (found) => `&#${found.charCodeAt(0)};`)
}

/** Returns a state as JSON. In development, warns of values that JSON would change or lose. */
export function stringifyJson(state: Dehydrated): string {
  if (process.env.NODE_ENV === 'production') return JSON.stringify(state)
  let odd: string | undefined
  const text = JSON.stringify(state, function (this: unknown, field: string, value: unknown) {
    const member = (this as Record<string, unknown>)[field]
    const isKept =
      member === null ||
      typeof member !== 'object' ||
      Array.isArray(member) ||
      Object.getPrototypeOf(member) === Object.prototype
    if (!isKept || (typeof member === 'number' && !Number.isFinite(member))) odd ??= `${String(member)}`
    return value
  })
  if (odd !== undefined)
    console.warn(
      `The store holds values that are not JSON, such as ${odd}. Pass stringify to toScript, and parse to hydrate.`,
    )
  return text
}
