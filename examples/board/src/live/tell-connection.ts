import { NetworkError, TimeoutError, TransportError } from '@roundtable/core'
import { type ConnectionStatus, LiveRefusedError } from '@roundtable/core/live'

/** How the stream is, in a word for the head of a panel. */
export const LIVE_WORDS: Readonly<Record<ConnectionStatus['status'], string>> = {
  idle: 'Idle',
  connecting: 'Connecting',
  open: 'Live',
  waiting: 'Waiting',
  refused: 'Refused',
}

/** How the stream is, in a sentence. */
export function tellConnection({ status, attempt, error }: ConnectionStatus, isOffline: boolean): string {
  switch (status) {
    case 'idle':
      return 'Not connected: nothing reads it, or the page is hidden.'
    case 'connecting':
      return attempt === 0 ? 'Connecting …' : `Connecting, attempt ${attempt + 1} …`
    case 'open':
      return 'The server tells what changes.'
    case 'waiting':
      if (isOffline) return 'Offline: connects when the network is back.'
      return attempt === 0
        ? 'The stream is open, and nothing has come yet. Asks every 10 s.'
        : `${reasonOf(error)} Attempt ${attempt + 1} follows; asks every 10 s meanwhile.`
    case 'refused':
      return `${reasonOf(error)} It is not asked for a stream again; asks every 10 s.`
  }
}

function reasonOf(error: Error | undefined): string {
  if (error === undefined) return 'The server has ended the stream.'
  if (error instanceof LiveRefusedError) return `The server refuses the stream (${error.status}).`
  if (error instanceof NetworkError) return `The server answered ${error.status}.`
  if (error instanceof TimeoutError) return 'The server was silent for too long.'
  // `fetch` throws a TypeError.
  const isLost = error instanceof TransportError || error instanceof TypeError
  return isLost ? 'The connection was lost.' : `It failed: ${error.message}`
}
