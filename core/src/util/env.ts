/**
 * The interface to time, randomness and the state of the page. All timed or random code takes an `Env`, so tests can control
 * the clock, and a simulation can replay a run from its seed. (The network is the global `fetch`, read at call time.)
 *
 * @example
 * ```ts
 * const frozen: Env = { ...browserEnv(), now: () => 0, mono: () => 0 }
 * ```
 */
export interface Env {
  /** Wall clock in ms since 1970, for expiry and display only; it may jump. */
  now(): number
  /** Monotonic clock in ms from any origin, for durations; it never jumps. */
  mono(): number
  /**
   * Calls `run` once after `ms` (0 … Infinity; Infinity never fires). Delays above 2^31-1 ms work. A background timer does
   * not keep a process alive.
   */
  setTimeout(run: () => void, ms: number, isBackground?: boolean): unknown
  /** Cancels a timer. Unknown timers are ignored. */
  clearTimeout(timer: unknown): void
  /** Calls `run` once after frameworks have rendered the caller's changes: after microtasks and already posted tasks. */
  afterRender(run: () => void): void
  /**
   * Calls `run` once before the next paint. Without it, live sources use the platform's animation frames, or timers
   * if there are none.
   */
  frame?(run: () => void): void
  /** A number from 0 (included) to 1 (excluded). */
  random(): number
  /** False only while the platform reports that there is no network. */
  isOnline(): boolean
  /** False while the page is hidden. */
  isVisible(): boolean
  /** Calls `listener` whenever `isOnline` or `isVisible` may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void
}

/** The longest delay that a platform timer accepts; longer ones fire at once. */
const LONGEST = 2_147_483_647

interface ChunkedTimer {
  handle: ReturnType<typeof setTimeout> | undefined
}

/**
 * The environment of the running platform: a browser page, a worker, Node.
 *
 * @example
 * ```ts
 * const env = browserEnv()
 * env.isOnline()
 * ```
 */
export function browserEnv(): Env {
  return {
    now: () => Date.now(),
    mono: () => performance.now(),
    setTimeout: startTimer,
    clearTimeout: stopTimer,
    afterRender: runLater,
    random: () => Math.random(),
    // Node's `navigator` has no `onLine`: undefined means online.
    isOnline: () => typeof navigator === 'undefined' || navigator.onLine !== false,
    isVisible: () => typeof document === 'undefined' || document.visibilityState !== 'hidden',
    onChange: listenToPage,
  }
}

/**
 * Calls `run` once after `ms` (never with Infinity), like the timer of `browserEnv()`, for code outside of controllers.
 *
 * @example
 * ```ts
 * const timer = startTimer(() => controller.abort(), 5_000)
 * ```
 */
export function startTimer(
  run: () => void,
  ms: number,
  isBackground = false,
  timer: ChunkedTimer = { handle: undefined },
): unknown {
  if (ms === Infinity) return timer
  const rest = ms - LONGEST
  const next = rest > 0 ? () => startTimer(run, rest, isBackground, timer) : run
  timer.handle = setTimeout(next, Math.min(ms, LONGEST))
  // A browser's timer is a number and has no `unref`.
  const { handle } = timer as { handle: { unref?(): void } | number }
  if (isBackground && typeof handle === 'object') handle.unref?.()
  return timer
}

/**
 * Cancels a timer of `startTimer`; undefined is ignored.
 *
 * @example
 * ```ts
 * stopTimer(timer)
 * ```
 */
export function stopTimer(timer: unknown): void {
  // The timer is the value that `startTimer` returned.
  const chunked = timer as ChunkedTimer | undefined
  if (chunked?.handle !== undefined) clearTimeout(chunked.handle)
}

/** The maximum wait for a page to become idle, in ms. */
const BUSY = 500

/**
 * Calls `run` when the page is idle. React renders in one task, a transition in several, and unmounts in another: an idle
 * page has finished them all. Without idle callbacks (Safari, Node), three tasks must do: in Node by `setImmediate`, as
 * React does, since a timer would take a millisecond each.
 */
function runLater(run: () => void, tasks = 3): void {
  const { setImmediate: post = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown }
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: BUSY })
  else post(() => (tasks > 1 ? runLater(run, tasks - 1) : run()))
}

/** The length of a frame where nothing is painted, in ms: on a hidden page, and without a page. */
const HIDDEN_FRAME = 250
const FRAME = 16

/**
 * Calls `run` once before the next paint, or after `HIDDEN_FRAME` ms where nothing is painted.
 *
 * @example
 * ```ts
 * nextFrame(env, () => write(messages))
 * ```
 */
export function nextFrame(env: Env, run: () => void): void {
  if (env.frame !== undefined) env.frame(run)
  else if (!env.isVisible()) env.setTimeout(run, HIDDEN_FRAME)
  else if (typeof requestAnimationFrame === 'function') requestAnimationFrame(run)
  else env.setTimeout(run, FRAME)
}

function listenToPage(listener: () => void): () => void {
  if (typeof window === 'undefined' || typeof window.addEventListener !== 'function') return () => {}
  const listen = (verb: 'addEventListener' | 'removeEventListener'): void => {
    for (const name of ['online', 'offline']) window[verb](name, listener)
    document?.[verb]('visibilitychange', listener)
  }
  listen('addEventListener')
  return () => listen('removeEventListener')
}

/**
 * Returns the locks that the pages of an origin share; undefined on platforms without them, and on pages without HTTPS.
 *
 * @example
 * ```ts
 * await pageLocks()?.request('outbox', send)
 * ```
 */
export function pageLocks(): LockManager | undefined {
  return typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined)
}

/**
 * Returns a random UUID (version 4), also on pages without HTTPS, which have no `crypto.randomUUID`.
 *
 * @example
 * ```ts
 * newUuid() // 'f1b8b0f0-…'
 * ```
 */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
