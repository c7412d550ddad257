import { browserEnv, type ControllerOptions } from '@roundtable/core'
import { atom } from 'nanostores'
import { logName } from './log-name.js'

const KEY = `board.offline.${logName}`

/**
 * Whether the switch has taken the network away: from all tabs that share the log, as a real one would go, and over
 * reloads.
 */
export const $isOffline = atom(logName !== undefined && localStorage.getItem(KEY) !== null)

/** Ends what is in flight when the network goes. */
let connection = new AbortController()

$isOffline.listen((isOffline) => {
  if (isOffline) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
  if (isOffline) connection.abort()
  else connection = new AbortController()
})
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY) $isOffline.set(newValue !== null)
})
if ($isOffline.get()) connection.abort()

/**
 * The controller's options for the switch: the platform reports that it is offline, requests in flight are aborted,
 * and others fail as without a network.
 */
export const network: ControllerOptions = { env: switchedEnv(), transport: send }

function switchedEnv(): NonNullable<ControllerOptions['env']> {
  const env = browserEnv()
  return {
    ...env,
    isOnline: () => !$isOffline.get() && env.isOnline(),
    onChange(listener) {
      const stops = [env.onChange(listener), $isOffline.listen(() => listener())]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

async function send(input: string | URL | Request, init: RequestInit): Promise<Response> {
  const cut = connection.signal
  const signal = init.signal ? AbortSignal.any([init.signal, cut]) : cut
  // An abort by the switch, rather than by the request's own signal, counts as a lost connection.
  return fetch(input, { ...init, signal })
}
